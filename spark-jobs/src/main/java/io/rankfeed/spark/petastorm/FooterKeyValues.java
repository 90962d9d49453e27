package io.rankfeed.spark.petastorm;

import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The key-value pairs of a Parquet file's footer with their values as bytes. Parquet's own reader takes them for UTF-8
 * text, which a pickle of protocol 2 and up is not.
 *
 * <pre>
 *   "PAR1" … FileMetaData (thrift, compact protocol) | u32 its length | "PAR1"
 *            field 5: list of KeyValue {1: string key, 2: string value}
 * </pre>
 */
final class FooterKeyValues {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int TRAILER_BYTES = 8;
    private static final int KEY_VALUES = 5;
    private static final int MAX_DEPTH = 32;

    private static final int STOP = 0;
    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int BYTE = 3;
    private static final int I64 = 6;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int STRUCT = 12;

    private final String file;
    private final byte[] bytes;
    private int at;
    private int end;

    private FooterKeyValues(byte[] bytes, String file) {
        this.bytes = bytes;
        this.file = file;
    }

    /** A value and where it begins in the file. */
    static final class Value {
        private final int offset;
        private final byte[] bytes;

        private Value(int offset, byte[] bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }

        int offset() {
            return offset;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** @throws CorruptDataException if the file is no Parquet file, or its footer does not hold together */
    static Map<String, Value> read(byte[] bytes, String file) {
        return new FooterKeyValues(bytes, file).footer();
    }

    private Map<String, Value> footer() {
        if (bytes.length < MAGIC.length + TRAILER_BYTES
                || !Arrays.equals(bytes, bytes.length - MAGIC.length, bytes.length, MAGIC, 0, MAGIC.length)) {
            throw new CorruptDataException(file, "does not end with PAR1; it is cut short or no Parquet");
        }
        end = bytes.length - TRAILER_BYTES;
        long length = 0;
        for (int i = 0; i < 4; i++) {
            length |= (bytes[end + i] & 0xFFL) << (8 * i);
        }
        if (length > end - MAGIC.length) {
            throw new CorruptDataException(file, end, "claims a footer of " + length + " bytes");
        }
        at = (int) (end - length);
        Map<String, Value> found = new LinkedHashMap<>();
        int id = 0;
        for (int header = u8(); header != STOP; header = u8()) {
            id = fieldId(header, id);
            if (id == KEY_VALUES && (header & 15) == LIST) {
                int list = u8();
                long size = listSize(list);
                for (long i = 0; i < size; i++) {
                    keyValue(found);
                }
            } else {
                skip(header & 15, 0);
            }
        }
        return found;
    }

    private void keyValue(Map<String, Value> found) {
        String key = "";
        Value value = new Value(at, new byte[0]);
        int id = 0;
        for (int header = u8(); header != STOP; header = u8()) {
            id = fieldId(header, id);
            if ((header & 15) == BINARY && id == 1) {
                int length = length();
                key = new String(bytes, at, length, StandardCharsets.UTF_8);
                at += length;
            } else if ((header & 15) == BINARY && id == 2) {
                int length = length();
                value = new Value(at, Arrays.copyOfRange(bytes, at, at + length));
                at += length;
            } else {
                skip(header & 15, 0);
            }
        }
        found.put(key, value);
    }

    private void skip(int type, int depth) {
        if (depth > MAX_DEPTH) {
            throw damage("nests deeper than " + MAX_DEPTH);
        }
        if (type == TRUE || type == FALSE) {
            return;
        } else if (type == BYTE) {
            u8();
        } else if (type > BYTE && type <= I64) {
            varint();
        } else if (type == DOUBLE) {
            advance(8);
        } else if (type == BINARY) {
            advance(length());
        } else if (type == LIST || type == SET) {
            int list = u8();
            long size = listSize(list);
            int element = list & 15;
            for (long i = 0; i < size; i++) {
                // Within a list a boolean takes a byte.
                skip(element == TRUE || element == FALSE ? BYTE : element, depth + 1);
            }
        } else if (type == STRUCT) {
            for (int header = u8(); header != STOP; header = u8()) {
                fieldId(header, 0);
                skip(header & 15, depth + 1);
            }
        } else {
            throw damage("has a value of the type " + type);
        }
    }

    private int fieldId(int header, int last) {
        int delta = header >>> 4;
        if (delta != 0) {
            return last + delta;
        }
        long zigzag = varint();
        return (int) ((zigzag >>> 1) ^ -(zigzag & 1));
    }

    /** Every element takes a byte at least, but an empty struct, which takes its stop. */
    private long listSize(int header) {
        int nibble = header >>> 4;
        long size = nibble == 15 ? varint() : nibble;
        if (size < 0 || size > end - at) {
            throw damage("claims a list of " + size);
        }
        return size;
    }

    private int length() {
        long length = varint();
        if (length < 0 || length > end - at) {
            throw damage("claims " + length + " bytes of text");
        }
        return (int) length;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw damage("has a number without end");
    }

    private int u8() {
        if (at >= end) {
            throw damage("ends early");
        }
        return bytes[at++] & 0xFF;
    }

    private void advance(int length) {
        if (length > end - at) {
            throw damage("ends early");
        }
        at += length;
    }

    private CorruptDataException damage(String what) {
        return new CorruptDataException(file, at, "its footer " + what);
    }
}
