package io.rankfeed.export.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.cache.CacheRows;
import io.rankfeed.schema.cache.CacheSource;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.testing.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows of every kind of column, written by {@link LaneWriter}. */
class CacheRowsTest {
    private static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("label", DType.INT32, Shape.scalar(), false),
            new Field("box", DType.FLOAT32, Shape.of(2, 3), true),
            new Field("ids", DType.INT32, Shape.of(Shape.VARIABLE, 2), false),
            new Field("text", DType.STRING, Shape.scalar(), true),
            new Field("names", DType.STRING, Shape.of(Shape.VARIABLE), false),
            new Field("image", DType.BINARY, Shape.scalar(), false)));

    private final List<List<byte[]>> expected = new ArrayList<>();

    @Test
    void values_areThoseThatWereWritten() throws IOException {
        byte[] file = file(50, 7);
        for (List<Integer> chosen : List.of(IntStream.range(0, 11).boxed().toList(), List.of(10, 0), List.of(8))) {
            CacheRows rows = new CacheRows(layout(file), source(file), chosen);
            for (List<byte[]> row : expected) {
                assertThat(rows.next()).isTrue();
                for (int i = 0; i < chosen.size(); i++) {
                    byte[] value = new byte[rows.lengthBytes(i) + 1];
                    assertThat(rows.copy(i, value, 1)).isEqualTo(value.length);
                    byte[] wanted = row.get(chosen.get(i));
                    assertThat(ByteBuffer.wrap(value, 1, value.length - 1)).isEqualTo(ByteBuffer.wrap(wanted));
                }
            }
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void batch_withAChangedByte_isRefusedBeforeItsFirstRow() throws IOException {
        byte[] file = file(20, 7);
        CacheLayout layout = layout(file);
        file[(int) layout.batches().get(1).valuesOffset(3)] ^= 1;
        CacheRows rows = new CacheRows(layout, source(file), List.of(0));
        for (int row = 0; row < 7; row++) {
            assertThat(rows.next()).isTrue();
        }
        assertThatThrownBy(rows::next).isInstanceOf(CorruptDataException.class).hasMessageContaining("batch 1");
    }

    private static CacheLayout layout(byte[] file) {
        return CacheLayout.read(source(file), "lane.arrow");
    }

    /** A file that gives a few bytes at once. */
    private static CacheSource source(byte[] file) {
        return new CacheSource() {
            @Override
            public long size() {
                return file.length;
            }

            @Override
            public int read(ByteBuffer to, long offset) {
                int length = Math.min(Math.min(to.remaining(), 1000), (int) (file.length - offset));
                to.put(file, (int) offset, length);
                return length == 0 ? -1 : length;
            }
        };
    }

    private byte[] file(int rows, int batchRows) throws IOException {
        Random random = new Random(Seed.of(getClass()));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        LaneWriter writer = new LaneWriter(new LaneHeader("train", "3", SCHEMA, batchRows), bytes);
        for (int row = 0; row < rows; row++) {
            List<byte[]> values = new ArrayList<>();
            expected.add(values);
            values.add(number(Long.BYTES, 100 + row));
            values.add(number(Integer.BYTES, -1));
            values.add(number(Long.BYTES, row));
            writer.beginRow(100 + row, -1, row);
            int label = random.nextInt();
            writer.putBits(0, label);
            values.add(number(Integer.BYTES, label));
            put(writer, 1, random.nextBoolean() ? bytes(random, 24) : null, new byte[24], values);
            put(writer, 2, bytes(random, 8 * random.nextInt(5)), null, values);
            put(writer, 3, random.nextBoolean() ? bytes(random, random.nextInt(3000)) : null, new byte[0], values);
            List<byte[]> names = IntStream.range(0, random.nextInt(4))
                    .mapToObj(name -> bytes(random, random.nextInt(9)))
                    .toList();
            put(writer, 4, PackedList.of(names), null, values);
            put(writer, 5, bytes(random, random.nextInt(40)), null, values);
            writer.endRow();
        }
        writer.finish();
        return bytes.toByteArray();
    }

    /** @param missing what a column has for a row without a value; null if all have one */
    private static void put(
            LaneWriter writer, int field, byte @Nullable [] value, byte @Nullable [] missing, List<byte[]> values) {
        if (value == null) {
            writer.putMissing(field);
        } else {
            writer.putBytes(field, value, 0, value.length);
        }
        values.add(value == null ? missing : value);
        if (missing != null) {
            values.add(new byte[] {(byte) (value == null ? 0 : 1)});
        }
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] number(int bytes, long value) {
        ByteBuffer number =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
        byte[] low = new byte[bytes];
        number.get(0, low);
        return low;
    }
}
