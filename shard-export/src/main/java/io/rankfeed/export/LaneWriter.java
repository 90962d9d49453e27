package io.rankfeed.export;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

    private final LaneHeader header;
    private final OutputStream out;
    private final List<CacheColumn> columns;
    private final List<ColumnBuffer> buffers;
    /** Of each field: which buffer holds its values. Its {@code .valid} column, if it has one, is the next. */
    private final int[] bufferOfField;

    private final List<ArrowMetadata.BatchBlock> blocks = new ArrayList<>();
    private final StringBuilder crcs = new StringBuilder();
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
        int buffer = CacheColumn.PROVENANCE;
        for (int field = 0; field < fields.size(); field++) {
            bufferOfField[field] = buffer;
            buffer += fields.get(field).nullable() ? 2 : 1;
        }
        out.write(MAGIC);
        out.write(new byte[2]);
        position = MAGIC.length + 2L;
        position += message(out, ArrowMetadata.schemaMessage(columns));
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
     * A value that is bytes already: a tensor packed row-major and little-endian, UTF-8, or binary.
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

    /** The most elements (ragged) or bytes (string, binary) that a row had so far; 0 for fields of fixed size. */
    public long maxLength(int field) {
        return buffers.get(bufferOfField[field]).maxItems();
    }

    /** Writes the last batch and the footer. A file without rows is none and must not be begun. */
    public void finish() throws IOException {
        if (rows == 0) {
            throw new IllegalStateException("a cache file has at least one row");
        }
        if (batchRows > 0) {
            flushBatch();
        }
        byte[] footer = ArrowMetadata.footer(header, columns, blocks, crcs.toString());
        byte[] end = new byte[8 + footer.length + 4 + MAGIC.length];
        littleEndian(end).putInt(-1).putInt(0).put(footer).putInt(footer.length).put(MAGIC);
        out.write(end);
    }

    private void putValid(int field, long valid) {
        if (header.schema().fields().get(field).nullable()) {
            buffers.get(bufferOfField[field] + 1).putBits(valid);
        }
    }

    private void flushBatch() throws IOException {
        CRC32C crc = new CRC32C();
        CheckedOutputStream checked = new CheckedOutputStream(out, crc);
        int metadataBytes = message(checked, ArrowMetadata.batchMessage(buffers));
        long bodyBytes = 0;
        for (ColumnBuffer buffer : buffers) {
            bodyBytes += Alignment.up(buffer.offsetsBytes()) + Alignment.up(buffer.sizeBytes());
            buffer.writeTo(checked);
            buffer.clear();
        }
        blocks.add(new ArrowMetadata.BatchBlock(position, metadataBytes, bodyBytes));
        position += metadataBytes + bodyBytes;
        crcs.append(crcs.isEmpty() ? "" : ",").append(HexFormat.of().toHexDigits((int) crc.getValue()));
        batchRows = 0;
    }

    /** Writes an encapsulated message whose padding ends where an aligned body may start; returns its length. */
    private int message(OutputStream to, byte[] flatbuffer) throws IOException {
        int length = Math.toIntExact(Alignment.up(position + 8 + flatbuffer.length) - position);
        byte[] message = new byte[length];
        littleEndian(message).putInt(-1).putInt(length - 8).put(flatbuffer);
        to.write(message);
        return length;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
