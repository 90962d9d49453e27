package io.rankfeed.schema.cache;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.cache.CacheMessages.WrittenBatch;
import io.rankfeed.schema.digest.Crc32c;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** A small cache file with a column of every kind, made from a seed. */
final class CacheFixture {
    static final int BATCH_ROWS = 7;
    static final int ROWS = 3 * BATCH_ROWS + 2;
    static final String FEED = "train";
    static final OptionalInt LANE = OptionalInt.of(3);
    static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("label", DType.INT64, Shape.scalar(), false),
            new Field("flag", DType.BOOL, Shape.scalar(), true),
            new Field("image", DType.UINT8, Shape.of(5, 3), false),
            new Field("half", DType.BFLOAT16, Shape.of(1), false),
            new Field("score", DType.FLOAT16, Shape.scalar(), false),
            new Field("ids", DType.INT32, Shape.of(Shape.VARIABLE), true),
            new Field("pairs", DType.FLOAT64, Shape.of(Shape.VARIABLE, 2), false),
            new Field("text", DType.STRING, Shape.scalar(), true),
            new Field("blob", DType.BINARY, Shape.scalar(), false),
            new Field("names", DType.STRING, Shape.of(Shape.VARIABLE), true),
            new Field("files", DType.BINARY, Shape.of(Shape.VARIABLE), false)));

    private final SplittableRandom random = new SplittableRandom(42);
    private final List<WrittenBatch> batches = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private CacheFixture() {}

    static byte[] file() {
        return new CacheFixture().write(CacheColumn.of(SCHEMA));
    }

    private byte[] write(List<CacheColumn> columns) {
        out.writeBytes(CacheMessages.head(SCHEMA));
        for (int row = 0; row < ROWS; row += BATCH_ROWS) {
            writeBatch(columns, Math.min(BATCH_ROWS, ROWS - row));
        }
        out.writeBytes(CacheMessages.tail(SCHEMA, FEED, LANE, batches));
        return out.toByteArray();
    }

    private void writeBatch(List<CacheColumn> columns, int rows) {
        int[][] offsets = new int[columns.size()][rows + 1];
        int[][] itemOffsets = new int[columns.size()][];
        long[] items = new long[columns.size()];
        long[] counts = new long[columns.size()];
        for (int c = 0; c < counts.length; c++) {
            for (int row = 0; row < rows && columns.get(c).kind() != Field.Kind.FIXED; row++) {
                int elements = random.nextInt(4) * columns.get(c).shape().elements();
                offsets[c][row + 1] = offsets[c][row] + elements;
            }
            counts[c] = offsets[c][rows];
            if (columns.get(c).kind() == Field.Kind.LIST) {
                items[c] = offsets[c][rows];
                itemOffsets[c] = new int[(int) items[c] + 1];
                for (int item = 0; item < items[c]; item++) {
                    itemOffsets[c][item + 1] = itemOffsets[c][item] + random.nextInt(4);
                }
                counts[c] = itemOffsets[c][(int) items[c]];
            }
        }
        BatchBody body = BatchBody.of(columns, rows, items, counts);
        ByteBuffer bytes = ByteBuffer.allocate((int) body.lengthBytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int c = 0; c < counts.length; c++) {
            CacheColumn column = columns.get(c);
            if (column.kind() != Field.Kind.FIXED) {
                bytes.position((int) body.offsetsAt(c)).asIntBuffer().put(offsets[c]);
            }
            if (column.kind() == Field.Kind.LIST) {
                bytes.position((int) body.itemOffsetsAt(c)).asIntBuffer().put(itemOffsets[c]);
            }
            bytes.position((int) body.valuesAt(c));
            for (long i = body.valueCount(c) * column.dtype().sizeBytes(); i > 0; i--) {
                bytes.put((byte) ('a' + random.nextInt(26)));
            }
        }
        byte[] message = CacheMessages.batch(body);
        byte[] whole = ByteBuffer.allocate(message.length + bytes.capacity())
                .put(message)
                .put(bytes.clear())
                .array();
        batches.add(new WrittenBatch(out.size(), message.length, bytes.capacity(), Crc32c.of(whole)));
        out.writeBytes(whole);
    }
}
