package io.rankfeed.schema.cache;

import com.google.flatbuffers.FlatBufferBuilder;
import io.rankfeed.schema.SampleSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;

/**
 * Builds all bytes of a cache file except the bodies (docs/format/cache.md, section 3), in the order in which a writer
 * needs them: {@link #head}, then per batch {@link #batch} and its body, then {@link #tail}.
 */
public final class CacheMessages {
    static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    static final int CONTINUATION = -1;

    /** The bytes before the schema message. */
    static final int HEAD_BYTES = 8;

    static final String CACHE_KEY = "rankfeed.cache";
    static final String FEED_KEY = "rankfeed.feed";
    static final String LANE_KEY = "rankfeed.lane";
    static final String CRC_KEY = "rankfeed.crc32c";
    static final String CACHE_VERSION = "1";
    static final String SHARED = "shared";

    private CacheMessages() {}

    /**
     * A record batch that has been written.
     *
     * @param offset where its message starts in the file
     * @param metadataBytes length of its message
     * @param bodyBytes length of its body
     * @param crc32c of its message and body
     */
    public record WrittenBatch(long offset, int metadataBytes, long bodyBytes, int crc32c) {}

    /** Magic and schema message: what a file begins with. Its length is a multiple of 64. */
    public static byte[] head(SampleSchema schema) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int header = CacheSchema.write(schema, builder);
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, MessageHeader.Schema, header, 0, 0));
        byte[] message = framed(builder.sizedByteArray(), HEAD_BYTES);
        byte[] head = new byte[HEAD_BYTES + message.length];
        System.arraycopy(MAGIC, 0, head, 0, MAGIC.length);
        System.arraycopy(message, 0, head, HEAD_BYTES, message.length);
        return head;
    }

    /** The message before a body. Its length is a multiple of 64. */
    public static byte[] batch(BatchBody body) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        List<long[]> nodes = new ArrayList<>();
        List<long[]> buffers = new ArrayList<>();
        body.listParts(nodes, buffers);
        // Flatbuffers grow downwards: a vector's last element is written first.
        RecordBatch.startNodesVector(builder, nodes.size());
        for (int i = nodes.size() - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, nodes.get(i)[0], 0);
        }
        int nodeVector = builder.endVector();
        RecordBatch.startBuffersVector(builder, buffers.size());
        for (int i = buffers.size() - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, buffers.get(i)[0], buffers.get(i)[1]);
        }
        int bufferVector = builder.endVector();
        int header = RecordBatch.createRecordBatch(builder, body.rows(), nodeVector, bufferVector, 0, 0);
        builder.finish(Message.createMessage(
                builder, MetadataVersion.V5, MessageHeader.RecordBatch, header, body.lengthBytes(), 0));
        return framed(builder.sizedByteArray(), 0);
    }

    /**
     * End of stream, footer and magic: what follows the last body.
     *
     * @param lane empty for the shared file
     */
    public static byte[] tail(SampleSchema schema, String feed, OptionalInt lane, List<WrittenBatch> batches) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int arrowSchema = CacheSchema.write(schema, builder);
        Footer.startDictionariesVector(builder, 0);
        int dictionaries = builder.endVector();
        Footer.startRecordBatchesVector(builder, batches.size());
        for (int i = batches.size() - 1; i >= 0; i--) {
            WrittenBatch batch = batches.get(i);
            Block.createBlock(builder, batch.offset(), batch.metadataBytes(), batch.bodyBytes());
        }
        int blocks = builder.endVector();
        String crcs = batches.stream()
                .map(batch -> HexFormat.of().toHexDigits(batch.crc32c()))
                .collect(Collectors.joining(","));
        String laneText = lane.isPresent() ? Integer.toString(lane.getAsInt()) : SHARED;
        int metadata = Footer.createCustomMetadataVector(builder, new int[] {
            CacheSchema.keyValue(CACHE_KEY, CACHE_VERSION, builder),
            CacheSchema.keyValue(FEED_KEY, feed, builder),
            CacheSchema.keyValue(LANE_KEY, laneText, builder),
            CacheSchema.keyValue(CRC_KEY, crcs, builder)
        });
        builder.finish(Footer.createFooter(builder, MetadataVersion.V5, arrowSchema, dictionaries, blocks, metadata));
        byte[] footer = builder.sizedByteArray();
        byte[] tail = new byte[8 + footer.length + 4 + MAGIC.length];
        little(tail)
                .putInt(CONTINUATION)
                .putInt(0)
                .put(footer)
                .putInt(footer.length)
                .put(MAGIC);
        return tail;
    }

    /** A message with its prefix, padded so that it ends at a multiple of 64 when it starts {@code shift} bytes after one. */
    private static byte[] framed(byte[] flatbuffer, int shift) {
        byte[] message = new byte[(int) BatchBody.padded(shift + 8L + flatbuffer.length) - shift];
        little(message).putInt(CONTINUATION).putInt(message.length - 8).put(flatbuffer);
        return message;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
