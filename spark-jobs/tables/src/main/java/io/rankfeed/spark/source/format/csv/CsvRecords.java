package io.rankfeed.spark.source.format.csv;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of CSV in UTF-8 (RFC 4180), one at a time. A line ends with LF, CR or both; blank lines are no records. A quote that does
 * not begin a value is a character like others.
 */
final class CsvRecords implements Closeable {
    /** Maximum bytes of a record, as of a line of JSON. */
    static final int MAX_RECORD_BYTES = 64 << 20;

    private static final int MAX_VALUES = 1 << 16;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int END = -1;
    private static final int QUOTE = '"';
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** The state of the parser within a record. */
    private enum State {
        VALUE_BEGIN,
        PLAIN,
        QUOTED,
        /**
         * The parser is after a quote in a quoted value: another quote belongs to the value, otherwise the value has
         * ended.
         */
        QUOTE_IN_QUOTED,
        /** An error was found, and the rest of the line is skipped. */
        BROKEN
    }

    /**
     * A record.
     *
     * @param line at which it begins, from 0
     * @param lines that it has
     * @param values null where nothing is between two delimiters
     * @param fault why it is no record; null if it is one
     * @param isTorn whether its quotes are wrong, so that nobody knows where it ends
     */
    record Found(
            long line,
            long lines,
            List<@Nullable String> values,
            @Nullable String fault,
            boolean isTorn) {}

    private final InputStream in;
    private final int delimiter;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int at;
    private int end;
    private long line;
    private boolean isAfterCr;

    private byte[] record = new byte[1 << 10];
    private int length;
    private byte[] value = new byte[1 << 10];
    private int valueLength;

    CsvRecords(InputStream in, char delimiter) throws IOException {
        this.in = in;
        this.delimiter = delimiter;
        fill();
        if (end >= BYTE_ORDER_MARK.length && Arrays.equals(chunk, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, 3)) {
            at = BYTE_ORDER_MARK.length;
        }
    }

    /** Reads the next record; null at the end. */
    @Nullable
    Found next() throws IOException {
        Found found = null;
        boolean isBlank = true;
        while (isBlank && peek() != END) {
            long first = line;
            found = read(first);
            isBlank = length == 0;
        }
        return isBlank ? null : found;
    }

    private Found read(long first) throws IOException {
        length = 0;
        valueLength = 0;
        List<@Nullable String> values = new ArrayList<>();
        String fault = null;
        State state = State.VALUE_BEGIN;
        boolean isQuoted = false;
        boolean isEnd = false;
        while (true) {
            int next = take();
            isEnd = next == END;
            boolean isLineEnd = next == '\n' || next == '\r';
            if (isEnd || (isLineEnd && state != State.QUOTED)) {
                break;
            }
            keep(next);
            switch (state) {
                case QUOTED -> {
                    if (next == QUOTE) {
                        state = State.QUOTE_IN_QUOTED;
                    } else {
                        append(next);
                    }
                }
                case BROKEN -> {}
                default -> {
                    if (next == delimiter) {
                        fault = add(values, isQuoted, fault);
                        isQuoted = false;
                        state = State.VALUE_BEGIN;
                    } else if (next == QUOTE && state == State.QUOTE_IN_QUOTED) {
                        append(next);
                        state = State.QUOTED;
                    } else if (state == State.QUOTE_IN_QUOTED) {
                        fault = "value " + (values.size() + 1) + " has text after its closing quote";
                        state = State.BROKEN;
                    } else if (next == QUOTE && state == State.VALUE_BEGIN) {
                        isQuoted = true;
                        state = State.QUOTED;
                    } else {
                        append(next);
                        state = State.PLAIN;
                    }
                }
            }
        }
        if (state == State.QUOTED) {
            fault = "value " + (values.size() + 1) + " begins with a quote that is not closed";
        } else if (state != State.BROKEN) {
            fault = add(values, isQuoted, fault);
        }
        if (length > MAX_RECORD_BYTES) {
            fault = "has more than " + MAX_RECORD_BYTES + " bytes";
        }
        // The last line of a file may have no end.
        long lines = line - first + (isEnd ? 1 : 0);
        boolean isTorn = state == State.QUOTED || state == State.BROKEN;
        return new Found(first, lines, values, fault, isTorn);
    }

    /** The text of the record that was read last; what is not UTF-8 is replaced. */
    String written() {
        return new String(record, 0, Math.min(length, MAX_RECORD_BYTES), StandardCharsets.UTF_8);
    }

    private @Nullable String add(List<@Nullable String> values, boolean isQuoted, @Nullable String fault) {
        int bytes = valueLength;
        valueLength = 0;
        if (values.size() == MAX_VALUES || length > MAX_RECORD_BYTES) {
            return values.size() == MAX_VALUES ? "has more than " + MAX_VALUES + " values" : fault;
        }
        if (bytes == 0 && !isQuoted) {
            values.add(null);
            return fault;
        }
        String text = new String(value, 0, bytes, StandardCharsets.UTF_8);
        values.add(text);
        if (text.indexOf('\ufffd') >= 0) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value, 0, bytes));
            } catch (CharacterCodingException e) {
                return "value " + values.size() + " is not valid UTF-8";
            }
        }
        return fault;
    }

    /** The next byte, and counts lines. Outside quotes the LF of a CR LF is a blank line's end, which is no record. */
    private int take() throws IOException {
        int next = peek();
        if (next == END) {
            return END;
        }
        at++;
        if (next == '\r') {
            line++;
            isAfterCr = true;
        } else {
            if (next == '\n' && !isAfterCr) {
                line++;
            }
            isAfterCr = false;
        }
        return next;
    }

    private int peek() throws IOException {
        return at < end || fill() ? chunk[at] & 0xFF : END;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.readNBytes(chunk, 0, chunk.length));
        return end > 0;
    }

    /** Appends a byte to the record. Bytes beyond the limit are counted, but not kept. */
    private void keep(int next) {
        if (length < MAX_RECORD_BYTES) {
            if (length == record.length) {
                record = Arrays.copyOf(record, Math.min(MAX_RECORD_BYTES, 2 * length));
            }
            record[length] = (byte) next;
        }
        length = Math.min(length + 1, MAX_RECORD_BYTES + 1);
    }

    private void append(int next) {
        if (valueLength == value.length) {
            if (valueLength >= MAX_RECORD_BYTES) {
                return;
            }
            value = Arrays.copyOf(value, Math.min(MAX_RECORD_BYTES, 2 * valueLength));
        }
        value[valueLength++] = (byte) next;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
