package io.rankfeed.spark.prepare.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.job.PrepareSection.Compression;
import io.rankfeed.spark.prepare.write.RowGroupEncoder.Encoded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RowGroupCutterTest {
    private static final long SEED = 4;
    private static final StructType ID_AND_BYTES =
            new StructType().add("id", DataTypes.LongType).add("bytes", DataTypes.BinaryType);

    @TempDir
    private Path scratch;

    /** One row's values. */
    interface Rows {
        Object[] row(Random random, int number);
    }

    /** What came of a table. */
    private static final class Result implements RowGroupCutter.Sink {
        private final List<Long> lengths = new ArrayList<>();
        private final List<Integer> rows = new ArrayList<>();
        private final List<Integer> oversized = new ArrayList<>();
        private long encodes;

        @Override
        public void filled(Encoded group) {
            lengths.add(group.lengthBytes());
            rows.add(group.cut().rows());
            group.close();
        }

        @Override
        public void oversized(Encoded row) {
            oversized.add(lengths.size());
            row.close();
        }

        double fill(long blockBytes) {
            return lengths.stream().limit(lengths.size() - 1).mapToLong(l -> l).sum()
                    / (double) blockBytes
                    / (lengths.size() - 1);
        }
    }

    /** Tables of fewer than 100,000 rows and fewer than 100 columns. */
    static Stream<Arguments> smallTables() {
        return tables().filter(table -> !List.of("narrow", "wide").contains(table.get()[0]));
    }

    static Stream<Arguments> largeTables() {
        return tables().filter(table -> List.of("narrow", "wide").contains(table.get()[0]));
    }

    static Stream<Arguments> tables() {
        StructType narrow = new StructType().add("id", DataTypes.LongType).add("n", DataTypes.DoubleType);
        StructType wide = new StructType();
        for (int i = 0; i < 600; i++) {
            wide = wide.add("c" + i, i % 2 == 0 ? DataTypes.FloatType : DataTypes.IntegerType);
        }
        StructType product = ID_AND_BYTES.add("title", DataTypes.StringType);
        return Stream.of(
                Arguments.of("narrow", narrow, 1 << 20, 2_800_000, (Rows)
                        (random, i) -> new Object[] {(long) i, random.nextDouble()}),
                Arguments.of("tokens", ID_AND_BYTES, 1 << 20, 26_000, (Rows)
                        (random, i) -> new Object[] {(long) i, tokens(random, 512)}),
                Arguments.of("wide", wide, 1 << 20, 11_000, (Rows) (random, i) -> IntStream.range(0, 600)
                        .mapToObj(c -> c % 2 == 0 ? (Object) random.nextFloat() : random.nextInt(1 + c))
                        .toArray()),
                Arguments.of("products", product, 1 << 20, 3000, (Rows) (random, i) -> new Object[] {
                    (long) i, noise(random, 2000 + random.nextInt(12_000)), UTF8String.fromString("product " + i % 700)
                }),
                Arguments.of("large rows", ID_AND_BYTES, 4 << 20, 200, (Rows)
                        (random, i) -> new Object[] {(long) i, noise(random, 250_000 + random.nextInt(500_000))}),
                Arguments.of("skewed", ID_AND_BYTES, 1 << 20, 20_000, (Rows) (random, i) -> new Object[] {
                    (long) i, noise(random, (int) Math.min(900_000, 200 / Math.pow(random.nextDouble(), 0.9)))
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("smallTables")
    void table_isCutInFewTries(String name, StructType schema, int block, int count, Rows rows) {
        cutInFewTries(name, schema, block, count, rows, Compression.SNAPPY);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("largeTables")
    @Tag("nightly")
    void largeTable_isCutInFewTries(String name, StructType schema, int block, int count, Rows rows) {
        cutInFewTries(name, schema, block, count, rows, Compression.SNAPPY);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tables")
    @Tag("nightly")
    void table_withZstd_isCutInFewTries(String name, StructType schema, int block, int count, Rows rows) {
        cutInFewTries(name, schema, block, count, rows, Compression.ZSTD);
    }

    private void cutInFewTries(
            String name, StructType schema, int block, int count, Rows rows, Compression compression) {
        Result result = cut(schema, block, count, compression, rows);
        assertThat(result.rows.stream().mapToInt(i -> i).sum()).isEqualTo(count);
        System.out.printf(
                "%s %s: %d groups, fill %.4f, encodes %.2f%n",
                name,
                compression,
                result.lengths.size(),
                result.fill(block),
                (double) result.encodes / result.lengths.size());
        assertThat(result.lengths).hasSizeGreaterThan(20).allMatch(length -> length <= block);
        assertThat(result.fill(block)).as("fill").isGreaterThanOrEqualTo(0.95);
        assertThat((double) result.encodes / result.lengths.size())
                .as("encodes")
                .isLessThanOrEqualTo(1.3);
    }

    @Test
    void row_largerThanABlock_isReportedAndOthersFillBlocks() {
        Result result = cut(ID_AND_BYTES, 1 << 20, 3000, Compression.SNAPPY, (random, i) ->
                new Object[] {(long) i, noise(random, i == 700 ? 3 << 20 : 5000)});
        assertThat(result.oversized).hasSize(1);
        assertThat(result.rows.stream().mapToInt(i -> i).sum()).isEqualTo(2999);
        assertThat(result.fill(1 << 20)).isGreaterThanOrEqualTo(0.95);
    }

    private Result cut(StructType schema, long block, int count, Compression compression, Rows rows) {
        Random random = new Random(SEED);
        Result result = new Result();
        UnsafeProjection unsafe = UnsafeProjection.create(schema);
        RowLog log = new RowLog(schema.size(), scratch, 8 << 20);
        try (RowGroupEncoder encoder = new RowGroupEncoder(schema, compression, scratch);
                RowGroupCutter cutter = new RowGroupCutter(encoder, log, block, result)) {
            for (int i = 0; i < count; i++) {
                cutter.add(unsafe.apply(new GenericInternalRow(rows.row(random, i))));
            }
            Encoded rest = cutter.finish();
            if (rest != null) {
                result.filled(rest);
            }
            result.encodes = cutter.encodes();
        }
        return result;
    }

    private static byte[] noise(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] tokens(Random random, int count) {
        byte[] bytes = new byte[2 * count];
        for (int i = 0; i < count; i++) {
            int token = (int) (50_000 * Math.pow(random.nextDouble(), 4));
            bytes[2 * i] = (byte) token;
            bytes[2 * i + 1] = (byte) (token >> 8);
        }
        return bytes;
    }
}
