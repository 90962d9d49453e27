package io.rankfeed.export.petastorm;

import io.rankfeed.export.parquet.FooterBytes;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TField;
import shaded.parquet.org.apache.thrift.protocol.TProtocolUtil;

/**
 * Keys and values of a Parquet footer, the values as bytes. Parquet's own class decodes them as UTF-8, which loses the bytes
 * of a pickle.
 */
final class FooterKeyValues {
    // Field numbers of FileMetaData and KeyValue in parquet.thrift.
    private static final short KEY_VALUES = 5;
    private static final short KEY = 1;
    private static final short VALUE = 2;

    // Thrift's type codes; Parquet's copy of the library has no class for them.
    private static final byte STOP = 0;
    private static final byte STRING = 11;
    private static final byte LIST = 15;

    private final FooterBytes in;
    private final TCompactProtocol thrift;

    private FooterKeyValues(byte[] bytes, int start, int length) throws TException {
        this.in = new FooterBytes(bytes, start, length);
        this.thrift = in.protocol();
    }

    /** @param offset of the first byte in the file */
    @SuppressWarnings("ArrayRecordComponent")
    record Value(int offset, byte[] bytes) {}

    /** @throws CorruptDataException if the file is not Parquet, or its footer cannot be parsed */
    static Map<String, Value> read(byte[] bytes, String file) {
        ParquetTail tail = tail(bytes, file);
        int start = (int) tail.footerStart();
        try {
            return new FooterKeyValues(bytes, start, (int) tail.footerEnd() - start).footer();
        } catch (TException | RuntimeException e) {
            throw new CorruptDataException(file, start, "the Parquet footer cannot be read: " + e.getMessage());
        }
    }

    private static ParquetTail tail(byte[] bytes, String file) {
        try {
            return ParquetTail.of(
                    (from, part) -> System.arraycopy(bytes, (int) from, part, 0, part.length), file, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, Value> footer() throws TException {
        Map<String, Value> found = new LinkedHashMap<>();
        for (TField field = thrift.readFieldBegin(); field.type != STOP; field = thrift.readFieldBegin()) {
            if (field.id == KEY_VALUES && field.type == LIST) {
                int size = thrift.readListBegin().size;
                for (int i = 0; i < size; i++) {
                    keyValue(found);
                }
            } else {
                TProtocolUtil.skip(thrift, field.type, FooterBytes.MAX_DEPTH);
            }
        }
        return found;
    }

    private void keyValue(Map<String, Value> found) throws TException {
        thrift.readStructBegin();
        String key = "";
        Value value = new Value(0, new byte[0]);
        for (TField field = thrift.readFieldBegin(); field.type != STOP; field = thrift.readFieldBegin()) {
            if (field.id == KEY && field.type == STRING) {
                key = thrift.readString();
            } else if (field.id == VALUE && field.type == STRING) {
                ByteBuffer read = thrift.readBinary();
                byte[] copy = new byte[read.remaining()];
                read.get(copy);
                value = new Value(in.position() - copy.length, copy);
            } else {
                TProtocolUtil.skip(thrift, field.type, FooterBytes.MAX_DEPTH);
            }
        }
        thrift.readStructEnd();
        found.put(key, value);
    }
}
