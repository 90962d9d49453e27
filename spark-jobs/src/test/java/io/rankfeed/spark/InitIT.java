package io.rankfeed.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankfeed.console.Console;
import io.rankfeed.job.Job;
import io.rankfeed.job.JobFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.spark.run.LocalSpark;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drafts of ten tables and folders: each passes the dry run of the command itself, and the pipeline makes a version of it. */
class InitIT {
    private static final Path SHARED =
            Path.of("..", "..", "shared", "data").toAbsolutePath().normalize();
    private static SparkSession spark;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        System.setProperty("spark.master", "local[1]");
        spark = LocalSpark.session(1);
    }

    @AfterAll
    static void stop() {
        System.clearProperty("spark.master");
    }

    private String run(int expected, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Console.execute(
                Cli.line(new RankfeedJobs()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)),
                words);
        assertThat(exitCode).as(err.toString()).isEqualTo(expected);
        return out + err.toString();
    }

    private static Job read(Path job) throws IOException {
        return JobFile.read(job.toString(), Files.readAllBytes(job), List.of());
    }

    /** Drafts and runs; returns the drafted job. */
    private String drafted(String table, long rows, String... said) throws IOException {
        Path job = folder.resolve("job.yaml");
        Path root = folder.resolve("root");
        String report = run(0, "init", table, "--out", job.toString(), "--root", root.toString(), "--progress", "none");
        assertThat(report).contains(said).contains("next: rankfeed pipeline " + job);
        assertThat(read(job).sources()).hasSize(1);
        run(0, "pipeline", job.toString(), "--progress", "none");
        try (Stream<Path> datasets = Files.list(root)) {
            Path versions = datasets.findFirst().orElseThrow().resolve("versions");
            try (Stream<Path> made = Files.list(versions)) {
                Manifest version = ManifestJson.read(made.findFirst().orElseThrow());
                assertThat(version.rows()).isBetween(rows * 9 / 10, rows);
            }
        }
        return Files.readString(job);
    }

    /** Names of columns are text of the draft, in comments too: none begins a line, or steers a terminal. */
    @Test
    void columnNames_withLineBreaks_writeNoLinesOfTheDraft() throws IOException {
        String table = parquet(
                "id",
                "id % 3 AS `grade\nroot: /elsewhere`",
                "id % 5 AS `red\u001b[31m\u202e`",
                "map('a', id) AS `map\n  broken: true`");
        Path job = folder.resolve("job.yaml");
        String report = run(0, "init", table, "--out", job.toString(), "--progress", "none");
        assertThat(report + Files.readString(job)).doesNotContain("\u001b", "\u202e");
        assertThat(Files.readString(job).lines())
                .noneMatch(line ->
                        line.startsWith("root: /elsewhere") || line.strip().startsWith("broken: true"));
        assertThat(read(job).sources()).hasSize(1);
    }

    private String parquet(String... expressions) {
        Path table = folder.resolve("table");
        spark.range(400).selectExpr(expressions).write().parquet(table.toString());
        return table.toString();
    }

    @Test
    void table_withKeyTextsAndLabels_isDrafted() throws IOException {
        String job = drafted(
                parquet(
                        "concat('r-', id) AS review_id",
                        "concat('this is a long enough review of the product number ', id) AS body",
                        "element_at(array('good', 'bad', 'so so'), CAST(id % 3 + 1 AS INT)) AS verdict",
                        "id % 2 = 0 AS verified",
                        "CAST(id % 5 AS INT) AS stars"),
                400,
                "key: [review_id]",
                "parts: [train, valid] by a hash of the row",
                "labels: verdict",
                "texts: body");
        assertThat(job)
                .contains("key: [review_id]", "body_ids: {dtype: uint8}", "rf_label(", "# balance: [verdict]")
                .contains("candidates: verdict, verified, stars");
        assertThat(Files.readString(folder.resolve("job-feed.yaml")))
                .contains("{name: body_ids}", "{name: verdict_id}", "{name: stars}")
                .doesNotContain("{name: body}");
    }

    @Test
    @Tag("nightly")
    void csvTable_isDraftedWithTheTypesOfItsValues() throws IOException {
        StringBuilder text = new StringBuilder("id,zip code,price,sold,note,stars\n");
        for (int i = 0; i < 200; i++) {
            text.append(String.format(
                    Locale.ROOT,
                    "%d,%05d,%s,%s,\"a, %d\",%s%n",
                    i,
                    i,
                    i / 4.0,
                    i % 2 == 0,
                    i,
                    i % 3 == 0 ? "" : String.valueOf(i % 5)));
        }
        Path table = Files.createDirectories(folder.resolve("table/day=7"));
        Files.writeString(table.resolve("a.csv"), text);
        assertThat(drafted(table.getParent().toString(), 200, "key: [id]", "price: double"))
                .contains(
                        "csv: ", "id BIGINT, `zip code` STRING, price DOUBLE, sold BOOLEAN, note STRING, stars BIGINT");
    }

    @Test
    @Tag("nightly")
    void orcTable_isDrafted() throws IOException {
        Path table = folder.resolve("table");
        spark.range(400).selectExpr("id", "id % 5 AS label").write().orc(table.toString());
        assertThat(drafted(table.toString(), 400, "key: [id]")).contains("orc: ");
    }

    @Test
    @Tag("nightly")
    void textFile_isDrafted() throws IOException {
        Path table = folder.resolve("table.txt");
        Files.writeString(table, "a line of text that is long enough to be one\n".repeat(100));
        assertThat(drafted(table.toString(), 100, "texts: value")).contains("text: ");
    }

    @Test
    @Tag("nightly")
    void table_withSplitColumn_isDraftedWithoutAHash() throws IOException {
        String job = drafted(
                parquet(
                        "id",
                        "if(id < 300, 'train', if(id < 350, 'validation', if(id < 390, 'test', NULL))) AS split",
                        "id * 0.5D AS x"),
                350,
                "parts: [test, train, validation] of column split");
        assertThat(job)
                .contains("where: \"split = 'train'\"", "where: \"split = 'validation'\"")
                .contains("# parts without a feed: test, null", "prepare: none")
                .doesNotContain("rf_split");
    }

    @Tag("nightly")
    @Test
    void table_ofAwkwardTypesAndNames_isDraftedWithCasts() throws IOException {
        String job = drafted(
                parquet(
                        "id AS row_id",
                        "id AS __rf_unit",
                        "CAST(id AS DECIMAL(20, 3)) AS `the price`",
                        "date_add(DATE'2026-01-01', CAST(id AS INT)) AS day",
                        "timestamp_seconds(id) AS at",
                        "named_struct('a', id, 'b', array(id)) AS nested",
                        "map('k', id) AS properties",
                        "array(named_struct('a', id)) AS list",
                        "array(id, id + 1) AS pair",
                        "if(id % 3 = 0, NULL, CAST(id AS FLOAT)) AS holes",
                        "CAST(NULL AS INTERVAL DAY TO SECOND) AS span",
                        "concat('ü ', id) AS `1st-näme`",
                        "parse_json(concat('{\"a\": ', id, '}')) AS document",
                        "concat('k', id) COLLATE UTF8_LCASE AS folded",
                        "id * 2 AS `null`"),
                400,
                "key: [c_row_id]");
        assertThat(job)
                .contains(
                        "CAST(`the price` AS DOUBLE) AS the_price",
                        "unix_date(`day`) AS day",
                        "to_json(`nested`)",
                        "AS c___rf_unit")
                .contains("to_json(`document`) AS document", "CAST(`folded` AS STRING) AS folded", "`null` AS c_null")
                .contains("# span: interval day to second cannot be a tensor");
    }

    @Test
    @Tag("nightly")
    void table_withoutKey_isDraftedByFileAndRow() throws IOException {
        String job = drafted(
                parquet("id % 60 AS a", "id % 2 AS b"),
                400,
                "key: none; rows are identified by their file and row number");
        assertThat(job)
                .contains("where: \"rf_split('train=90, valid=10', `a`, `b`) = 'train'\"", "prepare: none")
                .doesNotContain("key:");
    }

    private static String numbers(Path table, String pair) {
        spark.range(400)
                .selectExpr("id", "id * 0.5D AS x", pair + " AS pair", "7 AS day")
                .write()
                .partitionBy("day")
                .parquet(table.toString());
        return table.toString();
    }

    @Test
    void table_ofNumbers_staysInItsFiles() throws IOException {
        String table = numbers(folder.resolve("numbers"), "array(id, -id)");
        spark.range(400, 440)
                .selectExpr("array(id, -id) AS pair", "id", "id * 0.5D AS x")
                .write()
                .parquet(table + "/day=7/more");
        assertThat(drafted(table, 440, "rows: stay in their files", "key: none"))
                .contains("#   pair: array<bigint>, 2 elements on average", "\nprepare: none\n", "rf_split(");
    }

    @Test
    void tables_withMissingElementsOrColumns_areWritten() throws IOException {
        String holed = numbers(folder.resolve("holed"), "array(id, if(id = 7, NULL, id))");
        String mixed = numbers(folder.resolve("mixed"), "if(id = 500, NULL, array(id))");
        spark.range(9).selectExpr("id", "id * 0.5D AS x").write().parquet(mixed + "/day=2");
        Path job = folder.resolve("job.yaml");
        for (String table : List.of(holed, mixed)) {
            run(0, "init", table, "--out", job.toString(), "--force", "--progress", "none");
            assertThat(Files.readString(job)).contains("prepare:\n  select:", "key: [id]");
        }
    }

    @Test
    @Tag("nightly")
    void table_ofThreeRows_isDraftedWithOnePart() throws IOException {
        Path table = folder.resolve("tiny");
        spark.range(3).selectExpr("id", "id * 2 AS x").write().parquet(table.toString());
        assertThat(drafted(table.toString(), 3, "parts: none; every row trains"))
                .contains("batch: 1 ");
    }

    @Test
    @Tag("nightly")
    void deltaTable_isDrafted() throws IOException {
        Path table = folder.resolve("delta");
        spark.range(200)
                .selectExpr("id % 20 AS shelf", "CAST(id / 20 AS INT) AS place", "rand(1) AS x")
                .write()
                .format("delta")
                .save(table.toString());
        assertThat(drafted(table.toString(), 200, "key: [shelf, place]")).contains("delta: ");
    }

    @Test
    @Tag("nightly")
    void conversations_inJsonLines_areDrafted() throws IOException {
        Path table = folder.resolve("chats.jsonl");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 120; i++) {
            lines.append("{\"id\": \"c")
                    .append(i)
                    .append("\", \"messages\": [{\"role\": \"user\", \"content\": \"How many are ")
                    .append(i)
                    .append(" apples?\"}, {\"role\": \"assistant\", \"content\": \"")
                    .append(i)
                    .append("\"}]}\n");
        }
        Files.writeString(table, lines);
        assertThat(drafted(table.toString(), 120, "key: [id]"))
                .contains("jsonl: ", "to_json(`messages`) AS messages", "# conversations: rf_chat");
    }

    @Test
    @Tag("nightly")
    void images_inParquet_areDrafted() throws IOException {
        Path table = folder.resolve("images");
        spark.range(80)
                .selectExpr(
                        "named_struct('bytes', unhex('"
                                + "89504E470D0A1A0A0000000D4948445200000001000000010802000000907753DE0000000C49444154789C63F8CFC0000003010100C9FE92EF0000000049454E44AE426082"
                                + "'), 'path', concat(id, '.png')) AS image",
                        "id % 4 AS label")
                .write()
                .parquet(table.toString());
        assertThat(drafted(table.toString(), 80, "images: image")).contains("`image`.bytes AS image");
        assertThat(Files.readString(folder.resolve("job-feed.yaml")))
                .contains("from: image", "random-resized-crop", "{name: label}");
    }

    @Test
    @Tag("nightly")
    void humanEval_isDrafted() throws IOException {
        Path table = SHARED.resolve("humaneval/HumanEval.jsonl.gz");
        assumeTrue(Files.exists(table), "needs " + table);
        assertThat(drafted(table.toString(), 164, "key: [task_id]", "texts: canonical_solution, prompt, test"))
                .contains("dataset: humaneval");
    }

    @Test
    @Tag("nightly")
    void catalog_real_isDrafted() throws IOException {
        Path table = SHARED.resolve("products/products.parquet");
        assumeTrue(Files.exists(table), "needs " + table);
        drafted(table.toString(), 2766, "products.parquet: 2,766 rows, 18 columns");
    }

    @Test
    @Tag("nightly")
    void imageFolder_isDraftedWithItsLabels() throws IOException {
        Path images = SHARED.resolve("products/thumbnails");
        assumeTrue(Files.exists(images), "needs " + images);
        Path labeled = folder.resolve("pictures");
        try (Stream<Path> files = Files.list(images)) {
            List<Path> some = files.sorted().limit(100).toList();
            for (int i = 0; i < some.size(); i++) {
                Path label = Files.createDirectories(labeled.resolve(i % 2 == 0 ? "left" : "right"));
                Files.copy(some.get(i), label.resolve(some.get(i).getFileName()));
            }
        }
        Files.writeString(labeled.resolve("left/notes.txt"), "no image");
        assertThat(drafted(labeled.toString(), 100, "parts: [train, valid]"))
                .contains("AS label_id", "content AS image", "path rlike");
    }

    @Test
    void jobFile_existing_isKeptAndAbsentTableRefused() throws IOException {
        String table = parquet("id");
        Path job = Files.writeString(folder.resolve("job.yaml"), "mine");
        assertThat(run(2, "init", table, "--out", job.toString(), "--progress", "none"))
                .contains("write --force");
        assertThat(Files.readString(job)).isEqualTo("mine");
        // The table is not read before.
        Files.writeString(folder.resolve("broken.parquet"), "no Parquet");
        assertThat(run(2, "init", folder.resolve("broken.parquet").toString(), "--out", job.toString()))
                .contains("write --force");
        assertThat(run(2, "init", folder.resolve("nowhere").toString())).contains("nothing exists at");
        Path texts = Files.createDirectories(folder.resolve("texts"));
        Files.writeString(texts.resolve("a.xml"), "<a/>");
        assertThat(run(2, "init", texts.toString())).contains("has no table in Parquet, ORC", "found: xml");
        Files.writeString(texts.resolve("a.csv"), "");
        assertThat(run(2, "init", texts.toString())).contains("has no rows");
    }
}
