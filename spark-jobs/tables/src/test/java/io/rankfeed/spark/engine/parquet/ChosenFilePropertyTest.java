package io.rankfeed.spark.engine.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares chosen rows of files of many shapes with the values that were written, without another Parquet reader. */
class ChosenFilePropertyTest {
    private static final MessageType TYPE = MessageTypeParser.parseMessageType("""
            message m {
              required int64 n;
              optional int32 few;
              optional binary text (UTF8);
              optional binary packed;
              optional group numbers (LIST) { repeated group list { optional int32 element; } }
              optional group names (LIST) { repeated group list { optional binary element (UTF8); } }
              optional group pair { optional double left; optional boolean right; }
            }""");
    private static final StructType FLAT = StructType.fromDDL("n BIGINT, few INT, text STRING, packed BINARY");
    private static final StructType NESTED = StructType.fromDDL("n BIGINT, few INT, text STRING, packed BINARY,"
            + " numbers ARRAY<INT>, names ARRAY<STRING>, pair STRUCT<left: DOUBLE, right: BOOLEAN>");

    /** One for all files: reading its settings takes longer than reading a file. */
    private static final Configuration CONF = new Configuration();

    /** How a file is written. */
    private record Shape(
            int rows,
            int groupRows,
            int pageRows,
            int pageBytes,
            WriterVersion version,
            boolean dictionary,
            boolean checksums) {
        static Shape drawn(Random random) {
            int groupRows = List.of(1, 40, 150, 1000).get(random.nextInt(4));
            return new Shape(
                    1 + random.nextInt(400),
                    groupRows,
                    List.of(1, 2, 7, 100, 20_000).get(random.nextInt(5)),
                    List.of(64, 500, 4000, 1 << 20).get(random.nextInt(4)),
                    random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0,
                    random.nextBoolean(),
                    random.nextBoolean());
        }
    }

    /** A row as it was written; a list of everything but the number, null where there is none. */
    private record Values(long n, List<@Nullable Object> rest) {}

    @Test
    void chosenRows_haveTheValuesThatWereWritten(@TempDir java.nio.file.Path folder) throws IOException {
        draw(folder, Seed.cases(3), Seed.of(ChosenFilePropertyTest.class));
    }

    @Test
    @Tag("nightly")
    void chosenRows_ofManyFiles_haveTheValuesThatWereWritten(@TempDir java.nio.file.Path folder) throws IOException {
        draw(folder, Seed.cases(75), Seed.of(ChosenFilePropertyTest.class));
    }

    private static void draw(java.nio.file.Path folder, int files, long firstSeed) throws IOException {
        for (long seed = firstSeed; seed < firstSeed + files; seed++) {
            Random random = new Random(seed);
            Shape shape = Shape.drawn(random);
            java.nio.file.Path file = folder.resolve(seed + ".parquet");
            List<Values> written = write(file, shape, random);
            java.nio.file.Path withEmptyPages = folder.resolve(seed + "-empty.parquet");
            EmptyPages.copy(file, withEmptyPages, new Random(seed));
            java.nio.file.Path withoutIndex = folder.resolve(seed + "-without.parquet");
            OtherFooter.copy(
                    file,
                    withoutIndex,
                    seed % 2 == 0
                            ? OtherFooter::withoutPageIndex
                            : OtherFooter.withoutSomePageIndexes(new Random(seed)));
            ParquetFooter footer = footer(file);
            ParquetFooter without = footer(withoutIndex);
            assertThat(footer.hasPageIndex()).isTrue();
            assertThat(without.hasPageIndex()).isFalse();
            // Arrow writes no page index of a row group without rows.
            without.blocks().forEach(group -> group.setRowCount(0));
            List<BlockMetaData> groups = new ArrayList<>(footer.blocks());
            groups.addAll(without.blocks());
            assertThat(new ParquetFooter(footer.tail(), footer.metadata(), groups).hasPageIndex())
                    .isTrue();
            for (long[] rows : choices(shape, random)) {
                String which = String.format(Locale.ROOT, "seed %d, %s, rows %s", seed, shape, Arrays.toString(rows));
                check(file, FLAT, ChosenFile.Values.FLAT, rows, written, which);
                check(file, NESTED, ChosenFile.Values.ANY, rows, written, which);
                check(withEmptyPages, NESTED, ChosenFile.Values.ANY, rows, written, which);
                check(withoutIndex, NESTED, ChosenFile.Values.ANY, rows, written, which);
            }
            Files.delete(file);
            Files.delete(withEmptyPages);
            Files.delete(withoutIndex);
        }
    }

    private static ParquetFooter footer(java.nio.file.Path file) {
        return ParquetFooter.read(new Path(file.toUri()), CONF);
    }

    private static void check(
            java.nio.file.Path file,
            StructType columns,
            ChosenFile.Values kind,
            long[] rows,
            List<Values> written,
            String which) {
        int[] heads = new int[columns.size()];
        try (ChosenFile chosen =
                new ChosenFile(file.toString(), rows, columns, kind, heads, group -> group % 2 == 0, CONF)) {
            for (long n : Arrays.stream(rows).distinct().toArray()) {
                InternalRow row = chosen.next();
                List<@Nullable Object> rest = new ArrayList<>();
                for (int i = 1; i < columns.size(); i++) {
                    rest.add(value(row, i));
                }
                assertThat(row.getLong(0)).as(which).isEqualTo(n);
                assertThat(rest)
                        .as("row %d, %s", n, which)
                        .isEqualTo(written.get((int) n).rest().subList(0, rest.size()));
            }
        }
    }

    /** First, last, alone, neighbors, all; few and most; twice the same. */
    private static List<long[]> choices(Shape shape, Random random) {
        int last = shape.rows() - 1;
        List<long[]> choices = new ArrayList<>(List.of(
                new long[] {0},
                new long[] {last},
                new long[] {0, last},
                new long[] {last / 2},
                LongStream.rangeClosed(0, last).toArray(),
                LongStream.rangeClosed(last / 2, Math.min(last, last / 2 + 1)).toArray(),
                LongStream.rangeClosed(0, last).filter(n -> n % 100 == 7).toArray()));
        for (double part : new double[] {0.01, 0.05, 0.1, 0.5, 0.95}) {
            choices.add(LongStream.rangeClosed(0, last)
                    .filter(n -> random.nextDouble() < part)
                    .toArray());
        }
        long[] some = random.longs(6, 0, shape.rows()).sorted().toArray();
        choices.add(some);
        choices.add(LongStream.of(some).flatMap(n -> LongStream.of(n, n)).toArray());
        return choices;
    }

    private static List<Values> write(java.nio.file.Path file, Shape shape, Random random) throws IOException {
        List<Values> written = new ArrayList<>();
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(
                        HadoopOutputFile.fromPath(new Path(file.toUri()), CONF))
                .withType(TYPE)
                .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                .withRowGroupRowCountLimit(shape.groupRows())
                .withPageRowCountLimit(shape.pageRows())
                .withPageSize(shape.pageBytes())
                .withMinRowCountForPageSizeCheck(1)
                .withWriterVersion(shape.version())
                .withDictionaryEncoding(shape.dictionary())
                .withPageWriteChecksumEnabled(shape.checksums())
                .build()) {
            SimpleGroupFactory groups = new SimpleGroupFactory(TYPE);
            for (int n = 0; n < shape.rows(); n++) {
                Values values = values(n, random);
                writer.write(group(groups.newGroup(), values));
                written.add(values);
            }
        }
        return written;
    }

    private static Values values(long n, Random random) {
        List<@Nullable Object> rest = new ArrayList<>();
        rest.add(random.nextInt(8) == 0 ? null : random.nextInt(5));
        rest.add(random.nextInt(6) == 0 ? null : "text " + n + "é".repeat(random.nextInt(4)));
        byte[] packed = new byte[random.nextInt(3) == 0 ? random.nextInt(900) : random.nextInt(20)];
        random.nextBytes(packed);
        rest.add(random.nextInt(9) == 0 ? null : text(packed));
        rest.add(drawn(random, random.nextInt(20) == 0 ? 200 : 5, () -> random.nextInt(1000)));
        rest.add(drawn(random, 4, () -> "name " + random.nextInt(50)));
        rest.add(
                random.nextInt(7) == 0
                        ? null
                        : Arrays.asList(
                                random.nextInt(5) == 0 ? null : random.nextGaussian(),
                                random.nextInt(5) == 0 ? null : random.nextBoolean()));
        return new Values(n, rest);
    }

    private static @Nullable List<@Nullable Object> drawn(Random random, int most, Supplier<Object> item) {
        if (random.nextInt(7) == 0) {
            return null;
        }
        return Stream.generate(() -> random.nextInt(8) == 0 ? null : item.get())
                .limit(random.nextInt(most))
                .collect(ArrayList::new, List::add, List::addAll);
    }

    private static Group group(Group group, Values values) {
        group.append("n", values.n());
        List<@Nullable Object> rest = values.rest();
        if (rest.get(0) instanceof Integer few) {
            group.append("few", few);
        }
        if (rest.get(1) instanceof String text) {
            group.append("text", text);
        }
        if (rest.get(2) instanceof String packed) {
            group.append(
                    "packed", Binary.fromConstantByteArray(Base64.getDecoder().decode(packed)));
        }
        for (int list = 3; list <= 4; list++) {
            if (rest.get(list) instanceof List<?> items) {
                Group into = group.addGroup(list == 3 ? "numbers" : "names");
                for (Object item : items) {
                    Group element = into.addGroup("list");
                    if (item instanceof Integer number) {
                        element.append("element", number);
                    } else if (item instanceof String name) {
                        element.append("element", name);
                    }
                }
            }
        }
        if (rest.get(5) instanceof List<?> pair) {
            Group into = group.addGroup("pair");
            if (pair.get(0) instanceof Double left) {
                into.append("left", left);
            }
            if (pair.get(1) instanceof Boolean right) {
                into.append("right", right);
            }
        }
        return group;
    }

    private static @Nullable Object value(InternalRow row, int column) {
        if (row.isNullAt(column)) {
            return null;
        }
        return switch (column) {
            case 1 -> row.getInt(1);
            case 2 -> row.getUTF8String(2).toString();
            case 3 -> text(row.getBinary(3));
            case 4, 5 -> items(row.getArray(column), column);
            default -> {
                InternalRow pair = row.getStruct(column, 2);
                yield Arrays.asList(
                        pair.isNullAt(0) ? null : pair.getDouble(0), pair.isNullAt(1) ? null : pair.getBoolean(1));
            }
        };
    }

    private static List<@Nullable Object> items(ArrayData list, int column) {
        List<@Nullable Object> items = new ArrayList<>();
        for (int i = 0; i < list.numElements(); i++) {
            items.add(
                    list.isNullAt(i)
                            ? null
                            : column == 4
                                    ? (Object) list.getInt(i)
                                    : list.getUTF8String(i).toString());
        }
        return items;
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
