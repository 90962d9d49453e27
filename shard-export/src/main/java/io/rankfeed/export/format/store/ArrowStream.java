package io.rankfeed.export.format.store;

import com.google.flatbuffers.FlatBufferBuilder;
import io.rankfeed.schema.cache.BatchBody;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;

/**
 * Writes the messages of an Arrow IPC stream without compression. Messages and buffers start at multiples of 64 bytes, and
 * the declared length of a buffer includes its padding, as in lanes.
 */
final class ArrowStream {
    private static final int CONTINUATION = -1;
    private static final int PREFIX_BYTES = 8;

    /** Of a message: its prefix, tables and padding. */
    private static final int FIXED_BYTES = 512;

    /** Of a node or buffer in a message. */
    private static final long STRUCT_BYTES = 16;

    private static final byte[] ZEROS = new byte[BatchBody.ALIGNMENT];

    private ArrowStream() {}

    static byte[] schema(ArrowFeatures features) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        return message(builder, MessageHeader.Schema, features.schema(builder), 0);
    }

    static void writeBatch(int rows, List<ArrowColumn> columns, OutputStream out) throws IOException {
        List<long[]> nodes = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        columns.forEach(column -> column.listParts(nodes, buffers));
        long[] starts = new long[buffers.size() + 1];
        for (int i = 0; i < buffers.size(); i++) {
            starts[i + 1] = starts[i] + BatchBody.padded(buffers.get(i).remaining());
        }
        FlatBufferBuilder builder = new FlatBufferBuilder();
        // Flatbuffers grow downwards: a vector's last element is written first.
        RecordBatch.startNodesVector(builder, nodes.size());
        for (int i = nodes.size() - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, nodes.get(i)[0], nodes.get(i)[1]);
        }
        int nodeVector = builder.endVector();
        RecordBatch.startBuffersVector(builder, buffers.size());
        for (int i = buffers.size() - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, starts[i], starts[i + 1] - starts[i]);
        }
        int bufferVector = builder.endVector();
        int batch = RecordBatch.createRecordBatch(builder, rows, nodeVector, bufferVector, 0, 0);
        out.write(message(builder, MessageHeader.RecordBatch, batch, starts[buffers.size()]));
        for (int i = 0; i < buffers.size(); i++) {
            int lengthBytes = buffers.get(i).remaining();
            out.write(buffers.get(i).array(), 0, lengthBytes);
            out.write(ZEROS, 0, (int) (starts[i + 1] - starts[i] - lengthBytes));
        }
    }

    /** An upper bound of the bytes of a batch without its rows, and of the end of the stream. */
    static long headBytes(List<ArrowColumn> columns) {
        List<long[]> nodes = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        columns.forEach(column -> column.listParts(nodes, buffers));
        return FIXED_BYTES + STRUCT_BYTES * (nodes.size() + buffers.size()) + 2L * BatchBody.ALIGNMENT * buffers.size();
    }

    static byte[] end() {
        return ByteBuffer.allocate(PREFIX_BYTES).putInt(CONTINUATION).array();
    }

    private static byte[] message(FlatBufferBuilder builder, byte type, int header, long bodyBytes) {
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, type, header, bodyBytes, 0));
        byte[] flatbuffer = builder.sizedByteArray();
        byte[] message = new byte[(int) BatchBody.padded(PREFIX_BYTES + (long) flatbuffer.length)];
        ByteBuffer.wrap(message)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(CONTINUATION)
                .putInt(message.length - PREFIX_BYTES)
                .put(flatbuffer);
        return message;
    }
}
