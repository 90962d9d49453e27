package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.run.Sessions;
import io.rankfeed.spark.run.SharedTables;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.PreparedFixture;
import io.rankfeed.spark.sample.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A planned row has its own values, or there is no version. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WrongRowsIT {
    private static final int ROWS = 600;
    private static final int IMAGE_BYTES = 20_000;

    /** One file of 200 rows, four pages of images. */
    private static final String FEW = "{sql: SELECT * FROM t WHERE id < 200}";

    private SparkSession spark;
    private Path input;

    /** Pages of few rows: what a row has is drawn by its id. */
    @BeforeAll
    void write(@TempDir Path folder) {
        PreparedFixture.session();
        spark = Sessions.of(
                "test", new SparkConf(false).set("spark.master", "local[2]"), EnumSet.noneOf(Sessions.Need.class));
        input = folder.resolve("in");
        spark.createDataFrame(
                        IntStream.range(0, ROWS).mapToObj(WrongRowsIT::row).toList(),
                        StructType.fromDDL(
                                "id BIGINT, label INT, image BINARY, tokens ARRAY<INT>, names ARRAY<STRING>"))
                .coalesce(1)
                .write()
                .option("parquet.page.size", 500)
                .option("parquet.block.size", 10 << 20)
                .parquet(input.toString());
    }

    private static Row row(int id) {
        return RowFactory.create((long) id, id % 10, image(id), tokens(id), id % 9 == 0 ? null : names(id));
    }

    private static byte[] image(int id) {
        byte[] image = new byte[IMAGE_BYTES];
        new Random(id).nextBytes(image);
        return image;
    }

    private static List<Integer> tokens(int id) {
        return new Random(id).ints(id % 50, 0, 50_000).boxed().toList();
    }

    private static List<String> names(int id) {
        return IntStream.range(0, id % 4).mapToObj(i -> "name " + id + "." + i).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sql: SELECT * FROM t                                | id in (0, 300, 301, 599)",
            })
    void chosenRow_hasItsOwnValues(String prepare, String where, @TempDir Path root) throws IOException {
        List<Long> expected = spark.range(ROWS).where(where).collectAsList();
        assertThat(expected).hasSizeLessThanOrEqualTo(ROWS / 10);
        check(context(root, "{" + prepare + "}", where, ""), expected);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rewrite: none                                       | id in (0, 300, 301, 599)",
                "sql: SELECT * FROM t, key: [id], compression: none  | id % 100 = 7",
                "sql: \"SELECT id, label, image, tokens FROM t\", petastorm: true | id % 100 = 99",
                "sql: SELECT * FROM t                                | id in (0, 3, 501)",
                "sql: SELECT * FROM t                                | id % 100 = 7",
                "rewrite: none                                       | id % 100 = 7",
            })
    void chosenRow_ofMoreChoices_hasItsOwnValues(String prepare, String where, @TempDir Path root) throws IOException {
        chosenRow_hasItsOwnValues(prepare, where, root);
    }

    @Test
    @Tag("nightly")
    void chosenRow_ofDrawnFiles_hasItsOwnValues(@TempDir Path root) {
        int rows = 400;
        for (int seed = 0; seed < 24; seed++) {
            Random random = new Random(seed);
            Path own = root.resolve("in-" + seed);
            Map<String, String> options = Map.of(
                    "parquet.page.size", drawn(random, "500", "5000", "100000", "1048576"),
                    "parquet.page.row.count.limit", drawn(random, "1", "3", "50", "20000"),
                    "parquet.page.size.row.check.min", drawn(random, "1", "100"),
                    "parquet.block.size", drawn(random, "200000", "2000000", "134217728"),
                    "parquet.enable.dictionary", drawn(random, "true", "false"),
                    "parquet.writer.version", drawn(random, "v1", "v2"),
                    "compression", drawn(random, "zstd", "snappy", "none"));
            spark.read()
                    .parquet(input.toString())
                    .where("id < " + rows)
                    .coalesce(1)
                    .write()
                    .options(options)
                    .parquet(own.toString());
            String prepare =
                    drawn(random, "none", "none", "{sql: SELECT * FROM t}", "{sql: SELECT * FROM t, key: [id]}");
            List<Long> ids = random.longs(1 + random.nextInt(20), 0, rows)
                    .flatMap(id ->
                            random.nextInt(4) == 0 ? LongStream.of(id, Math.min(rows - 1, id + 1)) : LongStream.of(id))
                    .distinct()
                    .boxed()
                    .toList();
            String where = "id in (" + ids.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")";
            try {
                check(context(root.resolve("out-" + seed), own, prepare, where, ""), ids);
            } catch (AssertionError | Exception e) {
                throw new AssertionError("seed " + seed + ", " + options + ", " + prepare + ", " + where, e);
            }
        }
    }

    private static String drawn(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }

    /** Runs the job and compares every value of its lane. */
    private static void check(JobContext context, List<Long> expected) throws IOException {
        PreparedTable table = Prepare.run(context);
        Version version = Export.run(context, table, Sample.run(context, table), Export.Reading.CHOSEN);
        Map<String, List<Object>> columns = ArrowFile.read(
                        Path.of(version.path().toUri().getPath()).resolve("lanes/val/lane-00000-00000.arrow"))
                .columns();
        assertThat(columns.get("id")).containsExactlyInAnyOrderElementsOf(expected);
        for (int i = 0; i < expected.size(); i++) {
            int id = Math.toIntExact((Long) columns.get("id").get(i));
            assertThat(columns.get("label").get(i)).as("label of %d", id).isEqualTo(id % 10);
            assertThat(columns.get("image").get(i)).as("image of %d", id).isEqualTo(ByteBuffer.wrap(image(id)));
            assertThat(columns.get("tokens").get(i)).as("tokens of %d", id).isEqualTo(tokens(id));
            if (columns.containsKey("names")) {
                assertThat(columns.get("names").get(i))
                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                        .as("names of %d", id)
                        .map(String::valueOf)
                        .isEqualTo(id % 9 == 0 ? List.of() : names(id));
            }
        }
    }

    /** A change of the rows of a prepared file after prepare; columns as prepare wrote them. */
    enum Change {
        ONE_NUMBER(97, "id, label") {
            @Override
            void apply(List<Object[]> rows, int row) {
                rows.get(row)[1] = 1 + (Integer) rows.get(row)[1];
            }
        },
        ONE_BYTE(97, "image") {
            @Override
            void apply(List<Object[]> rows, int row) {
                ((byte[]) rows.get(row)[2])[IMAGE_BYTES - 1] ^= 1;
            }
        },
        /** Swaps two rows, values and checksums together, except for the columns that the plan compares. */
        EXCHANGED(98, "id, label") {
            @Override
            void apply(List<Object[]> rows, int row) {
                Object[] one = rows.set(row, rows.get(row + 1));
                rows.set(row + 1, one);
                for (int provenance = 5; provenance < 8; provenance++) {
                    Object its = one[provenance];
                    one[provenance] = rows.get(row)[provenance];
                    rows.get(row)[provenance] = its;
                }
            }
        };

        private final int plannedRow;
        private final String columns;

        /** @param plannedRow where the row of id 97 is afterwards */
        Change(int plannedRow, String columns) {
            this.plannedRow = plannedRow;
            this.columns = columns;
        }

        abstract void apply(List<Object[]> rows, int row);
    }

    @ParameterizedTest
    @EnumSource(names = "ONE_BYTE")
    void preparedRow_changed_isNamedAndNothingIsCommitted(Change change, @TempDir Path root) throws IOException {
        JobContext context = few(root, "");
        PreparedTable table = changed(Prepare.run(context), change, 97);
        Plan plan = Sample.run(context, table);
        for (Export.Reading reading : Export.Reading.values()) {
            assertThatThrownBy(() -> Export.run(context, table, plan, reading))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("part-00000-00000.parquet, row " + change.plannedRow)
                    .hasMessageContaining("columns " + change.columns)
                    .hasMessageContaining("run prepare again");
        }
        assertThat(manifests(root, "versions")).isEmpty();
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ONE_BYTE")
    void preparedRow_otherChange_isNamedAndNothingIsCommitted(Change change, @TempDir Path root) throws IOException {
        preparedRow_changed_isNamedAndNothingIsCommitted(change, root);
    }

    @Test
    @Tag("nightly")
    void columnSubset_isCheckedWithoutTheOthers(@TempDir Path root) throws IOException {
        JobContext label = few(root, "export: {columns: [label]}");
        JobContext image = few(root, "export: {columns: [image]}");
        PreparedTable table = changed(Prepare.run(label), Change.ONE_BYTE, 97);
        Plan plan = Sample.run(label, table);
        for (Export.Reading reading : Export.Reading.values()) {
            Export.run(label, table, plan, reading);
            assertThatThrownBy(() -> Export.run(image, table, plan, reading))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("row 97");
        }
        assertThat(manifests(root, "versions")).hasSize(1);
    }

    @Test
    void table_withoutChecksums_isRefused(@TempDir Path root) throws IOException {
        JobContext context = few(root, "");
        PreparedTable table = Prepare.run(context);
        Path file = data(table);
        Dataset<Row> rows = spark.read().parquet(file.toString()).drop("_checksum");
        PreparedTable old = replaced(table, rows.collectAsList(), rows.schema());
        assertThatThrownBy(() -> Sample.run(context, old))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(table.id())
                .hasMessageContaining("_checksum")
                .hasMessageContaining("run prepare again");
    }

    /** Simulates an error of the reader: with a wrong page index it returns rows of other pages. */
    @ParameterizedTest
    @ValueSource(strings = "none")
    void rows_ofWrongPageIndex_areFound(String prepare, @TempDir Path root) throws IOException {
        Path own = root.resolve("own");
        SharedTables.copy(input, own);
        JobContext context = context(root.resolve("out"), own, prepare, "id in (130, 177)", "");
        PreparedTable table = Prepare.run(context);
        Plan plan = Sample.run(context, table);
        WrongPageIndex.write(prepare.equals("none") ? onlyFile(own) : data(table));
        assertThatThrownBy(() -> Export.run(context, table, plan, Export.Reading.CHOSEN))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(
                        prepare.equals("none") ? "rows by the page index" : "row 130: its checksum does not match");
        assertThat(manifests(root, "versions")).isEmpty();
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = FEW)
    void preparedRows_ofWrongPageIndex_areFound(String prepare, @TempDir Path root) throws IOException {
        rows_ofWrongPageIndex_areFound(prepare, root);
    }

    private PreparedTable changed(PreparedTable table, Change change, int row) throws IOException {
        Dataset<Row> rows = spark.read().parquet(data(table).toString());
        List<Object[]> values = new ArrayList<>();
        for (Row each : rows.collectAsList()) {
            values.add(IntStream.range(0, each.size()).mapToObj(each::get).toArray());
        }
        change.apply(values, row);
        return replaced(table, values.stream().map(RowFactory::create).toList(), rows.schema());
    }

    /** The table with other rows in its only file, and a manifest that fits. */
    private PreparedTable replaced(PreparedTable table, List<Row> rows, StructType schema) throws IOException {
        Path file = data(table);
        Path folder = file.getParent().getParent();
        Path scratch = folder.resolveSibling("scratch");
        spark.createDataFrame(rows, schema).coalesce(1).write().parquet(scratch.toString());
        Files.move(onlyFile(scratch), file, StandardCopyOption.REPLACE_EXISTING);
        Manifest.Prepared old = table.manifest();
        List<ArtifactFile> files = old.files().stream()
                .map(each -> each.rows().isEmpty() ? each : listed(each, file))
                .toList();
        Manifest.Prepared manifest = new Manifest.Prepared(
                new Contents(old.dataset(), old.job(), old.inputs(), old.rows(), files),
                old.schema(),
                old.sources(),
                old.badRows(),
                old.statistics());
        Files.write(folder.resolve("manifest.json"), ManifestJson.toBytes(manifest));
        return PreparedFixture.open(folder);
    }

    private static ArtifactFile listed(ArtifactFile old, Path file) {
        try {
            return ArtifactFile.of(
                    old.path().value(),
                    Files.size(file),
                    Sha256.hex(file),
                    old.rows().orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path data(PreparedTable table) throws IOException {
        return onlyFile(Path.of(table.path().toUri().getPath()).resolve("data"));
    }

    private static Path onlyFile(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .reduce((one, other) -> {
                        throw new AssertionError(one + " and " + other);
                    })
                    .orElseThrow();
        }
    }

    private static List<Path> manifests(Path root, String kind) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.endsWith("manifest.json"))
                    .filter(file -> file.toString().contains("/" + kind + "/"))
                    .toList();
        }
    }

    /** A root in which {@link #FEW} is prepared already, and a feed of every tenth row. */
    private JobContext few(Path root, String more) {
        String where = "id % 10 = 7";
        if (!Files.exists(root.resolve("d"))) {
            SharedTables.put("few", root, to -> Prepare.run(context(to, FEW, where, "")));
        }
        return context(root, FEW, where, more);
    }

    private JobContext context(Path root, String prepare, String where, String more) {
        return context(root, input, prepare, where, more);
    }

    private JobContext context(Path root, Path source, String prepare, String where, String more) {
        String yaml = "dataset: d\nroot: '" + root + "'\nsources: {t: {parquet: '" + source + "'}}\nprepare: " + prepare
                + "\nsample: {val: {kind: sequential, batch: 1, lanes: 1, where: '" + where + "'}}\n" + more;
        return JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }
}
