package io.rankfeed.spark.source.format.arrow;

import io.rankfeed.spark.source.format.StoredBytes;
import io.rankfeed.spark.source.format.arrow.ArrowField.Layout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/** The columns and buffers of a record batch or dictionary, whose lengths and positions have been checked. */
final class BatchParts {
    /** A body up to this length is read at once, because object stores answer few large requests faster than many. */
    private static final int WHOLE_BODY_BYTES = 8 << 20;

    /** @param dictionary the number of the dictionary of the values, null of a record batch */
    record Batch(@Nullable Long dictionary, boolean isDelta, RecordBatch header, List<ArrowField> fields) {
        long rows() {
            return header.length();
        }
    }

    private final Batch batch;
    private final StoredBytes bytes;
    private final long bodyOffset;
    private final long bodyBytes;
    private final int codec;
    private byte @Nullable [] body;

    private BatchParts(Batch batch, StoredBytes bytes, long bodyOffset, long bodyBytes) {
        this.batch = batch;
        this.bytes = bytes;
        this.bodyOffset = bodyOffset;
        this.bodyBytes = bodyBytes;
        BodyCompression compression = batch.header().compression();
        if (compression != null && compression.method() != BodyCompressionMethod.BUFFER) {
            throw new IllegalArgumentException("compression method " + compression.method());
        }
        codec = compression == null ? BufferCodec.NONE : compression.codec();
    }

    /** @throws IllegalArgumentException or another runtime exception if the batch is damaged */
    static BatchParts of(Batch batch, StoredBytes bytes, long bodyOffset, long bodyBytes) {
        BatchParts parts = new BatchParts(batch, bytes, bodyOffset, bodyBytes);
        parts.check();
        return parts;
    }

    private void check() {
        RecordBatch header = batch.header();
        List<ArrowField> fields = batch.fields();
        require(header.length() >= 0 && header.length() <= StoredBytes.MAX_BYTES, header.length() + " rows");
        require(
                header.nodesLength() == ArrowField.total(fields, field -> 1),
                header.nodesLength() + " columns, but the schema has another number");
        int views = ArrowField.total(fields, field -> field.layout() == Layout.VIEW ? 1 : 0);
        require(header.variadicBufferCountsLength() == views, "another number of columns of views than the schema");
        long buffers = ArrowField.total(fields, field -> field.layout().buffers);
        for (int i = 0; i < views; i++) {
            buffers += further(i);
        }
        require(header.buffersLength() == buffers, header.buffersLength() + " buffers instead of " + buffers);
        for (int i = 0; i < buffers; i++) {
            Buffer buffer = header.buffers(i);
            long offset = buffer.offset();
            long length = buffer.length();
            require(
                    offset >= 0 && length >= 0 && length <= bodyBytes && offset <= bodyBytes - length,
                    "buffer " + i + " is not in the body of " + bodyBytes + " bytes");
        }
        int node = 0;
        for (ArrowField field : fields) {
            require(
                    header.nodes(node).length() == header.length(),
                    "column '" + field.name() + "' has " + header.nodes(node).length() + " of " + header.length()
                            + " rows");
            node += ArrowField.total(List.of(field), each -> 1);
        }
        for (int i = 0; i < header.nodesLength(); i++) {
            long length = header.nodes(i).length();
            long nulls = header.nodes(i).nullCount();
            require(length >= 0 && length <= StoredBytes.MAX_BYTES, "a column of " + length + " values");
            require(nulls >= 0 && nulls <= length, "a column of " + length + " values with " + nulls + " nulls");
        }
    }

    static void require(boolean isTrue, String damage) {
        if (!isTrue) {
            throw new IllegalArgumentException(damage);
        }
    }

    Batch batch() {
        return batch;
    }

    String file() {
        return bytes.file();
    }

    FieldNode node(int index) {
        return batch.header().nodes(index);
    }

    /** The number of buffers of a column of views beyond those of its layout. */
    int further(int view) {
        long count = batch.header().variadicBufferCounts(view);
        require(count >= 0 && count <= batch.header().buffersLength(), count + " buffers of views");
        return (int) count;
    }

    /** Reads and decompresses a buffer; its position is 0. */
    ByteBuffer buffer(int index) {
        Buffer buffer = batch.header().buffers(index);
        if (buffer.length() == 0) {
            return ByteBuffer.allocate(0);
        }
        byte[] stored;
        int offset = 0;
        if (bodyBytes <= WHOLE_BODY_BYTES) {
            if (body == null) {
                body = bytes.read(bodyOffset, bodyBytes, "the body of a message");
            }
            stored = body;
            offset = (int) buffer.offset();
        } else {
            stored = bytes.read(bodyOffset + buffer.offset(), buffer.length(), "a buffer");
        }
        ByteBuffer slice =
                ByteBuffer.wrap(stored, offset, (int) buffer.length()).slice();
        return BufferCodec.decompressed(codec, slice.order(ByteOrder.LITTLE_ENDIAN), file());
    }
}
