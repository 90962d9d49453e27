package io.rankfeed.export.lane;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.cache.BatchBody;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.cache.CacheMessages;
import io.rankfeed.schema.cache.CacheMessages.WrittenBatch;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Footer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * Writes one file of the cache: an Arrow IPC file as the cache format asks for it. Its bytes are a function of the
 * header and the rows alone. Holds one record batch in memory.
 *
 * <p>A row is {@link #beginRow}, one {@code put…} for each field of the schema in any order, {@link #endRow}; after
 * the last row comes {@link #finish}. The stream stays the caller's: nothing here flushes or closes it. Not thread-safe.
 */
public final class LaneWriter {
    private final LaneHeader header;
    private final OutputStream out;
    private final List<CacheColumn> columns;
    private final List<ColumnBuffer> buffers;
    /** The index of the buffer that has a field's values, by field. Its {@code .valid} column, if it has one, is the next. */
    private final int[] bufferOfField;

    private final List<WrittenBatch> batches = new ArrayList<>();
    private long position;
    private long rows;
    private int batchRows;

    /** Writes the file's head at once. */
    public LaneWriter(LaneHeader header, OutputStream out) throws IOException {
        this.header = header;
        this.out = out;
        columns = CacheColumn.of(header.schema());
        buffers = columns.stream().map(ColumnBuffer::new).toList();
        List<Field> fields = header.schema().fields();
        bufferOfField = new int[fields.size()];
        int buffer = CacheColumn.PROVENANCE.size();
        for (int field = 0; field < fields.size(); field++) {
            bufferOfField[field] = buffer;
            buffer += fields.get(field).nullable() ? 2 : 1;
        }
        byte[] head = CacheMessages.head(header.schema());
        out.write(head);
        position = head.length;
    }

    /** Starts a row with its identity and where it came from; −1 where the source is unknown. */
    public void beginRow(long rowId, int source, long sourceRow) {
        buffers.get(0).putBits(rowId);
        buffers.get(1).putBits(source);
        buffers.get(2).putBits(sourceRow);
    }

    /** A scalar of any numeric type: its low bits, as many as the type is wide. */
    public void putBits(int field, long bits) {
        buffers.get(bufferOfField[field]).putBits(bits);
        putValid(field, 1);
    }

    /**
     * A value that is bytes already: a tensor packed row-major and little-endian, UTF-8, binary, or a list of these as
     * {@link io.rankfeed.schema.PackedList}.
     *
     * @throws CorruptDataException if that many bytes are no value of the field
     */
    public void putBytes(int field, byte[] value, int offset, int lengthBytes) {
        buffers.get(bufferOfField[field]).putBytes(value, offset, lengthBytes);
        putValid(field, 1);
    }

    /** @throws CorruptDataException if the field may not be without a value */
    public void putMissing(int field) {
        Field declared = header.schema().fields().get(field);
        if (!declared.nullable()) {
            throw new CorruptDataException(
                    "column '" + declared.name() + "'", "has no value in a row, but its schema says that all have one");
        }
        buffers.get(bufferOfField[field]).putMissing();
        putValid(field, 0);
    }

    /** Ends the row; every {@code batchRows} rows a record batch goes to the stream. */
    public void endRow() throws IOException {
        batchRows++;
        for (ColumnBuffer buffer : buffers) {
            if (buffer.rows() != batchRows) {
                throw new IllegalStateException("column '" + buffer.column().name() + "' has " + buffer.rows()
                        + " values at the end of row " + batchRows + " of its batch");
            }
        }
        rows++;
        if (batchRows == header.batchRows()) {
            flushBatch();
        }
    }

    /** Rows ended so far. */
    public long rows() {
        return rows;
    }

    /** The most elements (ragged) or bytes (string, binary, list) that a row had so far; 0 for fields of fixed size. */
    public long maxLength(int field) {
        return buffers.get(bufferOfField[field]).maxLength();
    }

    /** The most items that a list had so far; 0 for fields without lists. */
    public long maxItems(int field) {
        return buffers.get(bufferOfField[field]).maxItems();
    }

    /** Writes the last batch and the footer, and returns the latter. A file without rows is none and must not be begun. */
    public Footer finish() throws IOException {
        if (rows == 0) {
            throw new IllegalStateException("a cache file has at least one row");
        }
        if (batchRows > 0) {
            flushBatch();
        }
        OptionalInt lane = header.lane().equals(LaneHeader.SHARED)
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(header.lane()));
        byte[] tail = CacheMessages.tail(header.schema(), header.feed(), lane, batches);
        out.write(tail);
        return new Footer(tail.length, Sha256.hex(tail));
    }

    private void putValid(int field, long valid) {
        if (header.schema().fields().get(field).nullable()) {
            buffers.get(bufferOfField[field] + 1).putBits(valid);
        }
    }

    private void flushBatch() throws IOException {
        CRC32C crc = new CRC32C();
        CheckedOutputStream checked = new CheckedOutputStream(out, crc);
        BatchBody body = BatchBody.of(
                columns,
                batchRows,
                buffers.stream().mapToLong(ColumnBuffer::items).toArray(),
                buffers.stream().mapToLong(ColumnBuffer::values).toArray());
        byte[] message = CacheMessages.batch(body);
        checked.write(message);
        for (ColumnBuffer buffer : buffers) {
            buffer.writeTo(checked);
            buffer.clear();
        }
        batches.add(new WrittenBatch(position, message.length, body.lengthBytes(), (int) crc.getValue()));
        position += message.length + body.lengthBytes();
        batchRows = 0;
    }
}
