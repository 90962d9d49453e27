package io.rankfeed.export;

import com.google.flatbuffers.FlatBufferBuilder;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.SchemaJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Binary;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/** The flatbuffers of a cache file: schema message, record batch message, footer. Equal arguments give equal bytes. */
final class ArrowMetadata {
    /** Where a record batch lies; lengths in bytes, the metadata's with its eight bytes of prefix. */
    record BatchBlock(long offset, int metadataBytes, long bodyBytes) {}

    /** A buffer as declared: place from the body's start, padded length. */
    private record Extent(long offset, long lengthBytes) {}

    private ArrowMetadata() {}

    static byte[] schemaMessage(List<CacheColumn> columns) {
        FlatBufferBuilder flat = new FlatBufferBuilder(4096);
        int schema = schema(flat, columns);
        Message.finishMessageBuffer(
                flat, Message.createMessage(flat, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0));
        return flat.sizedByteArray();
    }

    /** The message of a batch of which every column has the same number of rows. */
    static byte[] batchMessage(List<ColumnBuffer> columns) {
        FlatBufferBuilder flat = new FlatBufferBuilder(4096);
        List<Long> nodes = new ArrayList<>();
        List<Extent> buffers = new ArrayList<>();
        long end = 0;
        for (ColumnBuffer column : columns) {
            nodes.add((long) column.rows());
            buffers.add(new Extent(end, 0));
            if (column.column().hasOffsets()) {
                buffers.add(new Extent(end, Alignment.up(column.offsetsBytes())));
                end += Alignment.up(column.offsetsBytes());
            }
            if (column.column().isList()) {
                nodes.add(column.items());
                buffers.add(new Extent(end, 0));
            }
            buffers.add(new Extent(end, Alignment.up(column.sizeBytes())));
            end += Alignment.up(column.sizeBytes());
        }
        // Flatbuffers grow downwards: a vector's last element is written first.
        RecordBatch.startNodesVector(flat, nodes.size());
        for (int i = nodes.size() - 1; i >= 0; i--) {
            FieldNode.createFieldNode(flat, nodes.get(i), 0);
        }
        int nodesAt = flat.endVector();
        RecordBatch.startBuffersVector(flat, buffers.size());
        for (int i = buffers.size() - 1; i >= 0; i--) {
            Buffer.createBuffer(flat, buffers.get(i).offset(), buffers.get(i).lengthBytes());
        }
        int buffersAt = flat.endVector();
        int batch = RecordBatch.createRecordBatch(flat, columns.get(0).rows(), nodesAt, buffersAt, 0, 0);
        Message.finishMessageBuffer(
                flat, Message.createMessage(flat, MetadataVersion.V5, MessageHeader.RecordBatch, batch, end, 0));
        return flat.sizedByteArray();
    }

    static byte[] footer(LaneHeader header, List<CacheColumn> columns, List<BatchBlock> blocks, String crcs) {
        FlatBufferBuilder flat = new FlatBufferBuilder(4096);
        int schema = schema(flat, columns);
        Footer.startDictionariesVector(flat, 0);
        int dictionaries = flat.endVector();
        Footer.startRecordBatchesVector(flat, blocks.size());
        for (int i = blocks.size() - 1; i >= 0; i--) {
            BatchBlock block = blocks.get(i);
            Block.createBlock(flat, block.offset(), block.metadataBytes(), block.bodyBytes());
        }
        int batches = flat.endVector();
        int[] pairs = {
            pair(flat, "rankfeed.cache", "1"),
            pair(flat, "rankfeed.feed", header.feed()),
            pair(flat, "rankfeed.lane", header.lane()),
            pair(flat, "rankfeed.crc32c", crcs)
        };
        int metadata = Footer.createCustomMetadataVector(flat, pairs);
        Footer.finishFooterBuffer(
                flat, Footer.createFooter(flat, MetadataVersion.V5, schema, dictionaries, batches, metadata));
        return flat.sizedByteArray();
    }

    private static int schema(FlatBufferBuilder flat, List<CacheColumn> columns) {
        int[] fields = columns.stream().mapToInt(column -> field(flat, column)).toArray();
        return Schema.createSchema(flat, Endianness.Little, Schema.createFieldsVector(flat, fields), 0, 0);
    }

    private static int field(FlatBufferBuilder flat, CacheColumn column) {
        int[] metadata = {
            pair(flat, "rankfeed.dtype", column.dtype().id()),
            pair(flat, "rankfeed.shape", CanonicalJson.compactText(SchemaJson.toJson(column.shape())))
        };
        int metadataAt = Field.createCustomMetadataVector(flat, metadata);
        if (!column.isList()) {
            return field(flat, column.name(), primitive(flat, column.dtype()), new int[0], metadataAt);
        }
        int[] item = {field(flat, "item", primitive(flat, column.dtype()), new int[0], 0)};
        return field(flat, column.name(), list(flat, column.shape()), item, metadataAt);
    }

    private static int field(FlatBufferBuilder flat, String name, TypeAt type, int[] children, int metadataAt) {
        int nameAt = text(flat, name);
        int childrenAt = Field.createChildrenVector(flat, children);
        return Field.createField(flat, nameAt, false, type.kind(), type.at(), 0, childrenAt, metadataAt);
    }

    /** A type in the buffer: the union's tag and where its table lies. */
    private record TypeAt(byte kind, int at) {}

    private static TypeAt list(FlatBufferBuilder flat, Shape shape) {
        if (shape.isVariable()) {
            org.apache.arrow.flatbuf.List.startList(flat);
            return new TypeAt(Type.List, org.apache.arrow.flatbuf.List.endList(flat));
        }
        return new TypeAt(Type.FixedSizeList, FixedSizeList.createFixedSizeList(flat, shape.elements()));
    }

    private static TypeAt primitive(FlatBufferBuilder flat, DType dtype) {
        return switch (dtype) {
            case BOOL, UINT8 -> new TypeAt(Type.Int, Int.createInt(flat, 8, false));
            case INT8 -> new TypeAt(Type.Int, Int.createInt(flat, 8, true));
            case UINT16, BFLOAT16 -> new TypeAt(Type.Int, Int.createInt(flat, 16, false));
            case INT16 -> new TypeAt(Type.Int, Int.createInt(flat, 16, true));
            case UINT32 -> new TypeAt(Type.Int, Int.createInt(flat, 32, false));
            case INT32 -> new TypeAt(Type.Int, Int.createInt(flat, 32, true));
            case UINT64 -> new TypeAt(Type.Int, Int.createInt(flat, 64, false));
            case INT64 -> new TypeAt(Type.Int, Int.createInt(flat, 64, true));
            case FLOAT16 -> new TypeAt(Type.FloatingPoint, FloatingPoint.createFloatingPoint(flat, Precision.HALF));
            case FLOAT32 -> new TypeAt(Type.FloatingPoint, FloatingPoint.createFloatingPoint(flat, Precision.SINGLE));
            case FLOAT64 -> new TypeAt(Type.FloatingPoint, FloatingPoint.createFloatingPoint(flat, Precision.DOUBLE));
            case STRING -> {
                Utf8.startUtf8(flat);
                yield new TypeAt(Type.Utf8, Utf8.endUtf8(flat));
            }
            case BINARY -> {
                Binary.startBinary(flat);
                yield new TypeAt(Type.Binary, Binary.endBinary(flat));
            }
        };
    }

    private static int pair(FlatBufferBuilder flat, String key, String value) {
        return KeyValue.createKeyValue(flat, text(flat, key), text(flat, value));
    }

    private static int text(FlatBufferBuilder flat, String text) {
        return flat.createString(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
