package io.rankfeed.spark.source.folders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.table.PreparedFrame;
import io.rankfeed.spark.source.folders.FolderTree.TreeRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parquet files at any depth: every row of every file is read, with the values of its folders; else nothing is. */
class FolderTreesIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void tree_drawn_isReadWithTheValuesOfItsFolders(long seed) throws IOException {
        Random random = new Random(seed);
        FolderTree tree = FolderTree.drawn(folder.resolve("in"), random);
        String where = "";
        Predicate<TreeRow> chosen = row -> true;
        boolean inPlace = random.nextInt(3) == 0;
        if (!inPlace && random.nextBoolean()) {
            where = ", where: \"id % 3 > 0\"";
            chosen = row -> row.id() % 3 > 0;
        } else if (!inPlace && !tree.columns().isEmpty() && random.nextBoolean()) {
            String value = tree.rows().get(0).values().get(0);
            where = ", where: \"p <=> " + (value == null ? "null" : "'" + value + "'") + "\"";
            chosen = row -> Objects.equals(row.values().get(0), value);
        }
        List<String> expected = tree.rows().stream()
                .filter(chosen)
                .map(TreeRow::toString)
                .sorted()
                .toList();
        String prepare = inPlace ? "none" : "{select: {from: t}}";
        JobContext context = context("parquet: '" + tree.root() + "'" + where, prepare);
        PreparedTable table = Prepare.run(context);
        assertThat(table.manifest().rows()).as("seed " + seed).isEqualTo(expected.size());
        assertThat(rows(context, table, tree.columns())).as("seed " + seed).isEqualTo(expected);
    }

    @Tag("nightly")
    @ParameterizedTest
    @MethodSource
    void manyTrees_drawn_areReadWithTheValuesOfTheirFolders(long seed) throws IOException {
        tree_drawn_isReadWithTheValuesOfItsFolders(seed);
    }

    static IntStream manyTrees_drawn_areReadWithTheValuesOfTheirFolders() {
        return IntStream.range(1000, 1100);
    }

    @ParameterizedTest
    @CsvSource({
        "a.parquet, sub/q.parquet, ''",
        "p=1/a.parquet, p=2/sub/q.parquet, p",
        "sub/p=1/a.parquet, sup/p=2/q.parquet, p",
        "sub/a.parquet, sub/sub/sub/sub/q.parquet, ''",
    })
    void files_inPlainFolders_areRead(String first, String second, String column) throws IOException {
        ParquetFile.write(folder.resolve("in").resolve(first), 0, 10, 3);
        ParquetFile.write(folder.resolve("in").resolve(second), 10, 10, 3);
        PreparedTable table = prepare("");
        assertThat(table.manifest().rows()).isEqualTo(20);
        assertThat(table.manifest().schema().names())
                .isEqualTo(column.isEmpty() ? List.of("id", "text") : List.of("id", "text", column));
    }

    /** A single file is read with any name; in a folder a hidden name would be ignored. */
    @Test
    void file_anyName_isRead() {
        Path file = ParquetFile.write(folder.resolve("p=1/_a=.parquet"), 0, 10, 3);
        for (Path named : List.of(file, ParquetFile.write(folder.resolve("_b"), 0, 10, 3))) {
            PreparedTable table = Prepare.run(context("parquet: '" + named + "'", "{select: {from: t}}"));
            assertThat(table.manifest().rows()).isEqualTo(10);
            assertThat(table.manifest().schema().names()).containsExactly("id", "text");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a.parquet,         p=1/q.parquet,      p=1/q.parquet",
        "sub/a.parquet,     sub/p=1/q.parquet,  sub/p=1/q.parquet",
        "p=1/a.parquet,     p=1/q=2/q.parquet,  p=1/q=2/q.parquet",
        "p=1/a.parquet,     q=1/q.parquet,      q=1/q.parquet",
        "P=1/a.parquet,     p=1/q.parquet,      p=1/q.parquet",
        "p=1/q=1/a.parquet, q=1/p=1/q.parquet,  q=1/p=1/q.parquet",
    })
    void files_withOtherPartitionFolders_areRefused(String first, String second, String named) {
        ParquetFile.write(folder.resolve("in").resolve(first), 0, 10, 3);
        ParquetFile.write(folder.resolve("in").resolve(second), 10, 10, 3);
        assertThatThrownBy(() -> prepare(""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("sources.t: ", named, first, "column=value", "UNION ALL");
        assertThat(folder.resolve("out/d/prepared")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"id=1, id", "ID=1, id", "text=x, text", "%69d=1, id"})
    void folder_namedAsAColumn_isRefused(String name, String column) {
        ParquetFile.write(folder.resolve("in").resolve(name).resolve("a.parquet"), 0, 10, 3);
        assertThatThrownBy(() -> prepare(""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("sources.t: ", name + "/a.parquet", "'" + column + "'", "rename");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p=1/p=2", "p=1/P=2", "p=1/sub/p=1"})
    void folders_twoOfOneColumn_areRefused(String folders) {
        ParquetFile.write(folder.resolve("in").resolve(folders).resolve("a.parquet"), 0, 10, 3);
        assertThatThrownBy(() -> prepare(""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(folders + "/a.parquet", "twice");
    }

    @Test
    void folderValues_areTheirText() {
        List<String> values = List.of("007", "1.10", "1.1", "7", "a", "true", "2024-01-31");
        for (String value : values) {
            ParquetFile.write(folder.resolve("in/p=" + value + "/a.parquet"), values.indexOf(value), 1, 1);
        }
        JobContext context = context("parquet: '" + folder.resolve("in") + "'", "{select: {from: t}}");
        assertThat(rows(context, Prepare.run(context), List.of("p")))
                .containsExactly(
                        "0 t0 [007]",
                        "1 t1 [1.10]",
                        "2 t2 [1.1]",
                        "3 t3 [7]",
                        "4 t4 [a]",
                        "5 t5 [true]",
                        "6 t6 [2024-01-31]");
    }

    @ParameterizedTest
    @CsvSource({
        "int,     01,                  1",
        "int,     -2147483648,         -2147483648",
        "bigint,  9223372036854775807, 9223372036854775807",
        "boolean, True,                true",
        "string,  01,                  01",
        "int,     __HIVE_DEFAULT_PARTITION__, null",
    })
    void folderValues_haveTheTypeOfTheSource(String type, String written, String read) {
        ParquetFile.write(folder.resolve("in/P=" + written + "/a.parquet"), 0, 1, 1);
        JobContext context = context(
                "parquet: '" + folder.resolve("in") + "', partitions: {p: " + type + "}", "{select: {from: t}}");
        PreparedTable table = Prepare.run(context);
        assertThat(rows(context, table, List.of("P"))).containsExactly("0 t0 [" + read + "]");
    }

    @ParameterizedTest
    @CsvSource({
        "p: int,     p=1, p=a,          p=a/",
        "p: int,     p=1, p=2147483648, p=2147483648/",
        "p: int,     p=1, p=,           p=/",
        "p: int,     p=1, p=1.0,        p=1.0/",
        "p: int,     p=1, p=%201,       p=%201/",
        "p: bigint,  p=1, p=9223372036854775808, p=9223372036854775808/",
        "p: boolean, p=true, p=1,       p=1/",
        "p: int,     p=7, p=007,        '''p=007'''",
        "p: boolean, p=true, p=True,    '''p=True'''",
        "q: int,     p=7, p=8,          partitions",
    })
    void folderValue_notOfItsType_isRefused(String types, String first, String second, String named) {
        ParquetFile.write(folder.resolve("in").resolve(first).resolve("a.parquet"), 0, 1, 1);
        ParquetFile.write(folder.resolve("in").resolve(second).resolve("a.parquet"), 1, 1, 1);
        assertThatThrownBy(() -> prepare(", partitions: {" + types + "}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("sources.t", named);
    }

    private PreparedTable prepare(String more) {
        return Prepare.run(context("parquet: '" + folder.resolve("in") + "'" + more, "{select: {from: t}}"));
    }

    private JobContext context(String source, String prepare) {
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources:\n  t: {" + source + "}\nprepare: "
                + prepare + "\nsample: {train: {batch: 4, lanes: 2}}\n";
        return JobContext.of(
                PrepareFixture.session(),
                JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()),
                Progress.NONE);
    }

    private static List<String> rows(JobContext context, PreparedTable table, List<String> columns) {
        List<String> rows = new ArrayList<>();
        for (Row row : PreparedFrame.open(context, table).rows().collectAsList()) {
            List<String> values = columns.stream()
                    .map(column -> String.valueOf(row.<Object>getAs(column)))
                    .toList();
            rows.add(row.<Long>getAs("id") + " " + row.getAs("text") + " " + values);
        }
        return rows.stream().sorted().toList();
    }
}
