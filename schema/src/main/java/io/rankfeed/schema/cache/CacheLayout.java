package io.rankfeed.schema.cache;

import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.CacheMessages.WrittenBatch;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;

/**
 * The offsets of all parts of a cache file, checked against the file: code that has a layout may use {@code base +
 * offset} for every buffer without another check, as long as the file keeps its length. {@link CacheVerifier} checks
 * the bytes of the buffers themselves.
 *
 * @param file for messages
 * @param schema the sample's fields; the provenance columns come before them in {@link #columns}
 * @param feed name of the feed
 * @param lane empty for the shared file
 * @param columns in the order of the file, the index of every accessor of {@link CacheBatch}
 * @param batches in the order of the file; at least one
 */
public record CacheLayout(
        String file,
        long lengthBytes,
        SampleSchema schema,
        String feed,
        OptionalInt lane,
        List<CacheColumn> columns,
        List<CacheBatch> batches) {
    private static final int PREFIX_BYTES = 8;
    private static final int MAX_MESSAGE_BYTES = 16 << 20;

    /**
     * Reads footer and messages, never a body. The channel's position is not used.
     *
     * @throws CorruptDataException if the file is not what docs/format/cache.md says, with the byte
     */
    public static CacheLayout read(FileChannel channel, String file) {
        return read(CacheSource.of(channel), file);
    }

    /**
     * Reads footer and messages, never a body.
     *
     * @throws CorruptDataException if the file is not what docs/format/cache.md says, with the byte
     */
    public static CacheLayout read(CacheSource source, String file) {
        FileBytes bytes = new FileBytes(source, file);
        CacheFooter footer = CacheFooter.read(bytes);
        List<CacheColumn> columns = CacheColumn.of(footer.schema());
        long at = schemaEnd(bytes, footer);
        List<CacheBatch> batches = new ArrayList<>();
        for (int i = 0; i < footer.batches().size(); i++) {
            WrittenBatch block = footer.batches().get(i);
            if (block.offset() != at) {
                throw bytes.damage(
                        footer.offset(), "batch " + i + " should start at byte " + at + ", not " + block.offset());
            }
            CacheBatch batch = batch(bytes, columns, block);
            int batchRows = i == 0 ? batch.rows() : batches.get(0).rows();
            boolean last = i == footer.batches().size() - 1;
            if (last ? batch.rows() > batchRows : batch.rows() != batchRows) {
                throw bytes.damage(at, "batch " + i + " has " + batch.rows() + " rows, the first one " + batchRows);
            }
            batches.add(batch);
            at = batch.end();
        }
        requireEndOfStream(bytes, at, footer.offset());
        return new CacheLayout(
                file,
                bytes.lengthBytes(),
                footer.schema(),
                footer.feed(),
                footer.lane(),
                columns,
                List.copyOf(batches));
    }

    /**
     * Checks that the file is the expected one.
     *
     * @param batchRows rows of every batch but the last one of the file
     * @throws CorruptDataException if it is another
     */
    public CacheLayout require(SampleSchema schema, String feed, OptionalInt lane, int batchRows) {
        int first = batches.get(0).rows();
        if (!this.schema.equals(schema)) {
            throw new CorruptDataException(file, "its fields are not those of the manifest: " + this.schema.names());
        } else if (!this.feed.equals(feed) || !this.lane.equals(lane)) {
            throw new CorruptDataException(
                    file,
                    "is of feed '" + this.feed + "', " + laneText(this.lane) + "; wanted is '" + feed + "', "
                            + laneText(lane));
        } else if (batches.size() == 1 ? first > batchRows : first != batchRows) {
            throw new CorruptDataException(
                    file,
                    batches.get(0).offset(),
                    "has " + first + " rows in its first batch; the order says " + batchRows);
        }
        return this;
    }

    /** The offset at which the last record batch ends and the footer begins, in bytes. */
    public long end() {
        return batches.get(batches.size() - 1).end();
    }

    /** Returns the rows of all batches. */
    public long rows() {
        // Every batch but the last has as many rows as the first.
        return (long) (batches.size() - 1) * batches.get(0).rows()
                + batches.get(batches.size() - 1).rows();
    }

    /** The index of a column, -1 if there is none. */
    public int column(String name) {
        for (int c = 0; c < columns.size(); c++) {
            if (columns.get(c).name().equals(name)) {
                return c;
            }
        }
        return -1;
    }

    private static String laneText(OptionalInt lane) {
        return lane.isPresent() ? "lane " + lane.getAsInt() : "shared";
    }

    private static long schemaEnd(FileBytes bytes, CacheFooter footer) {
        ByteBuffer message = message(bytes, CacheMessages.HEAD_BYTES, footer.offset());
        SampleSchema schema = bytes.flatbuffer(CacheMessages.HEAD_BYTES, "schema message", () -> {
            Message parsed = Message.getRootAsMessage(message);
            if (parsed.version() != MetadataVersion.V5
                    || parsed.headerType() != MessageHeader.Schema
                    || !(parsed.header(new Schema()) instanceof Schema header)) {
                throw bytes.damage(CacheMessages.HEAD_BYTES, "the first message must be a schema of Arrow format V5");
            }
            return CacheSchema.read(header, bytes.file());
        });
        if (!schema.equals(footer.schema())) {
            throw bytes.damage(CacheMessages.HEAD_BYTES, "the schema at the start is not the one in the footer");
        }
        return CacheMessages.HEAD_BYTES + PREFIX_BYTES + (long) message.limit();
    }

    /** Returns the flatbuffer of the message at an offset: it must end before {@code limit}, at a multiple of 64. */
    private static ByteBuffer message(FileBytes bytes, long offset, long limit) {
        ByteBuffer prefix = bytes.read(offset, PREFIX_BYTES, "a message's prefix");
        int continuation = prefix.getInt();
        int length = prefix.getInt();
        long end = offset + PREFIX_BYTES + length;
        if (continuation != CacheMessages.CONTINUATION
                || length <= 0
                || length > MAX_MESSAGE_BYTES
                || end > limit
                || end % BatchBody.ALIGNMENT != 0) {
            throw bytes.damage(offset, "no message of length " + length + " can start here");
        }
        return bytes.read(offset + PREFIX_BYTES, length, "a message");
    }

    private static CacheBatch batch(FileBytes bytes, List<CacheColumn> columns, WrittenBatch block) {
        long offset = block.offset();
        ByteBuffer message = message(bytes, offset, bytes.lengthBytes());
        long bodyOffset = offset + PREFIX_BYTES + message.limit();
        if (block.metadataBytes() != PREFIX_BYTES + message.limit()) {
            throw bytes.damage(
                    offset,
                    "the message is " + (PREFIX_BYTES + message.limit()) + " bytes long, in the footer "
                            + block.metadataBytes());
        }
        BatchBody body = bytes.flatbuffer(offset, "record batch", () -> body(bytes, offset, columns, message));
        if (body.lengthBytes() != block.bodyBytes() || block.bodyBytes() > bytes.lengthBytes() - bodyOffset) {
            throw bytes.damage(
                    offset,
                    "the body is " + body.lengthBytes() + " bytes long, in the footer " + block.bodyBytes()
                            + ", in the file at most " + (bytes.lengthBytes() - bodyOffset));
        }
        return new CacheBatch(offset, bodyOffset, body, block.crc32c());
    }

    private static BatchBody body(FileBytes bytes, long offset, List<CacheColumn> columns, ByteBuffer buffer) {
        Message message = Message.getRootAsMessage(buffer);
        if (message.version() != MetadataVersion.V5
                || message.headerType() != MessageHeader.RecordBatch
                || !(message.header(new RecordBatch()) instanceof RecordBatch batch)) {
            throw bytes.damage(offset, "must be a record batch of Arrow format V5");
        }
        if (batch.compression() != null || batch.length() < 1 || batch.length() > Integer.MAX_VALUE) {
            throw bytes.damage(offset, "a batch of " + batch.length() + " rows, or a compressed one, cannot be");
        }
        BatchBody body = counted(columns, batch);
        List<long[]> nodes = new ArrayList<>();
        List<long[]> buffers = new ArrayList<>();
        body.listParts(nodes, buffers);
        boolean same = batch.nodesLength() == nodes.size()
                && batch.buffersLength() == buffers.size()
                && batch.variadicBufferCountsLength() == 0
                && message.bodyLength() == body.lengthBytes();
        for (int i = 0; same && i < nodes.size(); i++) {
            FieldNode node = batch.nodes(i);
            same = node.length() == nodes.get(i)[0] && node.nullCount() == 0;
        }
        for (int i = 0; same && i < buffers.size(); i++) {
            Buffer declared = batch.buffers(i);
            same = declared.offset() == buffers.get(i)[0] && declared.length() == buffers.get(i)[1];
        }
        if (!same) {
            throw bytes.damage(
                    offset, "the nodes and buffers are not those of " + batch.length() + " rows of this schema");
        }
        return body;
    }

    /**
     * Reads from the message the lengths of the columns of variable length. All other numbers follow from these and are
     * compared.
     */
    private static BatchBody counted(List<CacheColumn> columns, RecordBatch batch) {
        long[] items = new long[columns.size()];
        long[] counts = new long[columns.size()];
        int node = 0;
        int buffer = 0;
        for (int c = 0; c < counts.length; c++) {
            CacheColumn column = columns.get(c);
            switch (column.kind()) {
                case FIXED -> {
                    node += column.isScalar() ? 1 : 2;
                    buffer += column.isScalar() ? 2 : 3;
                }
                case RAGGED -> {
                    counts[c] = batch.nodes(node + 1).length();
                    node += 2;
                    buffer += 4;
                }
                case BYTES -> {
                    counts[c] = batch.buffers(buffer + 2).length();
                    node += 1;
                    buffer += 3;
                }
                case LIST -> {
                    items[c] = batch.nodes(node + 1).length();
                    counts[c] = batch.buffers(buffer + 4).length();
                    node += 2;
                    buffer += 5;
                }
            }
        }
        return BatchBody.of(columns, (int) batch.length(), items, counts);
    }

    private static void requireEndOfStream(FileBytes bytes, long at, long footerOffset) {
        if (footerOffset - at != PREFIX_BYTES) {
            throw bytes.damage(at, "the last batch ends here, but the footer starts at " + footerOffset);
        }
        ByteBuffer end = bytes.read(at, PREFIX_BYTES, "the end of the stream");
        if (end.getInt() != CacheMessages.CONTINUATION || end.getInt() != 0) {
            throw bytes.damage(at, "no end-of-stream marker");
        }
    }
}
