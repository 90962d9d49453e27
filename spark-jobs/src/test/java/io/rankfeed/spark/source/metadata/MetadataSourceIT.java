package io.rankfeed.spark.source.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.ChosenLines;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.Sample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JSON lines with weighted-mtp's metadata next to them. */
class MetadataSourceIT {
    private static final int LINES = 5000;

    /** By CPython's random, seed 42, over these very rows (gpu-feeder/python/tests/weighted_mtp_v1.py). */
    private static final int DRAWN = 1000;

    private static final String STAGE =
            "bins: {low: [1, 3], medium: [4, 7], high: [8, 11]}, weights: {low: 0.7, medium: 0.3, high: 0.0}";

    private static final String PADDED =
            "train: {batch: 64, lanes: 8, order: planned, order-by: draw_index, mode: padded}";

    private static final String TEXT = text(20);

    private static final String METADATA =
            IntStream.range(0, LINES).mapToObj(MetadataSourceIT::reported).collect(Collectors.joining(", "));

    @TempDir
    private Path dir;

    private Path lines;
    private Path metadata;

    @BeforeEach
    void write() throws IOException {
        lines = dir.resolve("train.jsonl");
        metadata = dir.resolve("train_metadata.json");
        Files.writeString(lines, TEXT);
        writeMetadata(Stream.of(METADATA));
    }

    @Test
    void drawnList_isFedInItsOrderOnEachRank() throws IOException {
        String draw = "draw: {compat: weighted-mtp-v1, samples: " + DRAWN + ", seed: 42, " + STAGE + "}";
        JobContext context = context(draw, "train: {batch: 64, lanes: 8, order: planned, order-by: draw_index}");
        PreparedTable prepared = prepared(context);
        List<Row> rows = rows(prepared, "_source_row", "draw_index", "task_id", "difficulty", "is_correct");
        assertThat(rows).hasSize(DRAWN).allSatisfy(row -> {
            int line = (int) row.getLong(0);
            assertThat(row.getString(2)).isEqualTo("p" + line % 7 + "_correct_" + line);
            assertThat(row.isNullAt(3)).isEqualTo(line % 17 == 5);
            assertThat(row.getBoolean(4)).isEqualTo(isCorrect(line));
        });
        long[] list = new long[DRAWN];
        rows.forEach(row -> list[(int) row.getLong(1)] = row.getLong(0));
        // The start of the golden list of 5,000 rows, seed 42, the first stage.
        assertThat(LongStream.of(list).limit(12)).containsExactlyElementsOf(golden());

        Plan plan = Sample.run(context, prepared);
        assertThat(listOf(plan, rows))
                .containsExactly(LongStream.of(list).limit(960).toArray());
        assertFed(plan, rows, LongStream.of(list).limit(960).toArray());
        assertThat(reported(context, prepared)).contains("  40 rows dropped per epoch (incomplete batch of 64)");

        // No multiple of the world: the job chooses whether the last rows go, or the first come again.
        JobContext padded = context(draw, PADDED);
        assertFed(
                Sample.run(padded, prepared),
                rows,
                LongStream.concat(LongStream.of(list), LongStream.of(list).limit(24))
                        .toArray());
        assertThat(reported(padded, prepared)).contains("  24 rows repeated per epoch, to fill the last batch of 64");
    }

    /** What a dry run reports about the feeds. */
    private static List<String> reported(JobContext context, PreparedTable prepared) {
        return Sample.preview(context, prepared, new ConfigErrors()).stream()
                .flatMap(report -> report.lines().stream())
                .toList();
    }

    /** Rank r of W gets list[r::W], batch by batch. */
    private static void assertFed(Plan plan, List<Row> prepared, long[] list) {
        TrainFeed order = (TrainFeed) plan.order().feeds().get(0);
        long[] lineOf = listOf(plan, prepared);
        for (int world : new int[] {1, 2, 8}) {
            for (int rank = 0; rank < world; rank++) {
                EpochOrder steps = new EpochOrder(order, rank, world);
                BatchRows batch = new BatchRows(64 / world);
                List<Long> seen = new ArrayList<>();
                for (int step = 0; step < order.steps(); step++) {
                    steps.fill(step, batch);
                    IntStream.range(0, batch.size()).forEach(i -> seen.add(lineOf[(int) batch.index(i)]));
                }
                int first = rank;
                int each = world;
                assertThat(seen)
                        .as("list[%d::%d]", rank, world)
                        .containsExactlyElementsOf(IntStream.range(0, list.length / world)
                                .mapToObj(i -> list[first + i * each])
                                .toList());
            }
        }
    }

    @Test
    @Tag("nightly")
    void index_damagedOrOfOtherFile_isMadeAgain() throws IOException {
        Files.writeString(lines, text(2000));
        Set<Long> chosen = chosenLines(7);
        Path index = onlyIndex();
        byte[] good = Files.readAllBytes(index);
        byte[] bad = good.clone();
        bad[bad.length / 2] ^= 4;
        Files.write(index, bad);
        assertThat(chosenLines(8)).isNotEqualTo(chosen);
        assertThat(Files.readAllBytes(index)).isEqualTo(good);

        // Lines of other lengths under the same name: the index of the old ones would cut them in pieces.
        Files.writeString(
                lines,
                IntStream.range(0, LINES)
                        .mapToObj(line -> line(line, 2000).replace("xxxx", line % 3 == 0 ? "y" : "yyy"))
                        .collect(Collectors.joining("\n")));
        assertThat(chosenLines(7)).isEqualTo(chosen);
        assertThat(Files.readAllBytes(onlyIndex())).isNotEqualTo(good);

        // As many bytes and the same time, but other lines: what the metadata says of them is no longer so.
        FileTime before = Files.getLastModifiedTime(lines);
        String text = Files.readString(lines);
        Files.writeString(lines, text.replace("\"difficulty\": 5", "\"difficulty\": 6"));
        Files.setLastModifiedTime(lines, before);
        assertThatThrownBy(() -> chosenLines(9))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("it describes other lines");
    }

    /** Of two hundred rows that a seed chooses; each was read whole, or its JSON would be damage. */
    private Set<Long> chosenLines(long seed) {
        JobContext context = context("read: chosen", "train: {batch: 8, lanes: 8, rows: 200, seed: " + seed + "}");
        PreparedTable prepared = prepared(context);
        assertThat(prepared.manifest().rows()).isEqualTo(200);
        return rows(prepared, "_source_row").stream().map(row -> row.getLong(0)).collect(Collectors.toSet());
    }

    private static PreparedTable prepared(JobContext context) {
        return Prepare.run(context, new ChosenLines(context));
    }

    private Path onlyIndex() throws IOException {
        try (Stream<Path> kept = Files.list(dir.resolve("root/d/indices"))) {
            List<Path> files = kept.filter(
                            file -> !file.getFileName().toString().startsWith("."))
                    .toList();
            assertThat(files).hasSize(1);
            return files.get(0);
        }
    }

    @Test
    void chosenLines_equalThoseOfThePlanOverAllLines() throws IOException {
        String feeds = """
            train:
              where: "problem_id <> 'p0' AND difficulty IS NOT NULL"
              batch: 16
              lanes: 4
              rows: 320
              seed: 7
              strata: [{column: is_correct}, {column: difficulty, bins: {low: [1, 3], med: [4, 7]}, on-unbinned: drop}]
              balance: [is_correct]
              weights: {low: 1, med: 2}
            valid: {kind: sequential, where: "problem_id = 'p0' AND difficulty > 9", batch: 16, lanes: 4}
            """;
        // So long that most of them can be skipped.
        Files.writeString(lines, text(2000));
        JobContext whole = context("read: all", feeds);
        PreparedTable all = prepared(whole);
        Plan byAll = Sample.run(whole, all);
        long before = bytesRead();
        JobContext some = context("read: chosen", feeds);
        PreparedTable chosen = prepared(some);
        long read = bytesRead() - before;

        Plan byChosen = Sample.run(some, chosen);
        assertThat(sourceRows(byChosen, chosen))
                .isEqualTo(sourceRows(byAll, all))
                .hasSizeGreaterThan(320);
        assertThat(chosen.manifest().rows()).isEqualTo(sourceRows(byAll, all).size());
        assertThat(chosen.id()).isNotEqualTo(all.id());
        // A tenth of the lines, some of them read along because they are in a gap of less than a page.
        assertThat(read).isLessThan(3 * Files.size(lines) / 4 + 5 * Files.size(metadata));
        try (Stream<Path> kept = Files.list(dir.resolve("root/d/indices"))) {
            assertThat(kept).hasSize(1);
        }
    }

    @Test
    void metadata_ofOtherLinesOrWithoutColumn_isRefused() throws IOException {
        String feed = "train: {where: 'difficulty > 3', batch: 8, lanes: 8}";
        assertThatThrownBy(() ->
                        prepared(context("read: chosen", "train: {where: 'length(input) > 3', batch: 8, lanes: 8}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("input");
        assertThatThrownBy(() -> prepared(context("read: chosen", feed, "key: [task_id]")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the key 'task_id' is not in the metadata");
        writeMetadata(IntStream.range(1, LINES).mapToObj(MetadataSourceIT::reported));
        assertThatThrownBy(() -> prepared(context("read: chosen", feed)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("has 4999 rows")
                .hasMessageContaining("5000 lines");
        writeMetadata(IntStream.rangeClosed(0, LINES).mapToObj(MetadataSourceIT::reported));
        assertThatThrownBy(() -> prepared(context("read: chosen", feed)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("has 5001 rows");
        // A row shifted, another one dropped.
        writeMetadata(IntStream.range(0, LINES).mapToObj(line -> reported(line < 10 ? line : (line + 1) % LINES)));
        assertThatThrownBy(() -> prepared(context("read: all", feed)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("train.jsonl:1")
                .hasMessageContaining("it describes other lines");
    }

    /** Two ids that are the same double. */
    @Test
    void metadata_ofOtherIds_isRefusedByAllDigits() throws IOException {
        List<String> ids = List.of("9007199254740993", "9007199254740992");
        Files.write(
                lines,
                ids.stream()
                        .map(id -> "{\"id\": " + id + ", \"task_id\": \"p\", \"input\": \"x\"}")
                        .toList());
        String rest = ", \"is_correct\": true, \"difficulty\": 1, \"problem_id\": \"p\"}";
        String feed = "train: {batch: 1, lanes: 1}";
        writeMetadata(Stream.of(ids.get(1), ids.get(0)).map(id -> "{\"id\": " + id + rest));
        assertThatThrownBy(() -> prepared(context("read: all", feed)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("train.jsonl:1")
                .hasMessageContaining("'id' is 9007199254740993, and ")
                .hasMessageContaining("has 9007199254740992");
        writeMetadata(ids.stream().map(id -> "{\"id\": " + id + rest));
        assertThat(rows(prepared(context("read: all", feed)), "_source_row")).hasSize(2);
    }

    private void writeMetadata(Stream<String> rows) throws IOException {
        Files.writeString(metadata, "{\"metadata\": [" + rows.collect(Collectors.joining(", ")) + "], \"stats\": {}}");
    }

    private JobContext context(String source, String feeds, String... prepare) {
        String yaml =
                "dataset: d\nroot: '" + dir.resolve("root") + "'\nsources:\n  t: {jsonl: '" + lines + "', metadata: '"
                        + metadata + "', " + source
                        + "}\nprepare: {select: {from: t, columns: [task_id, input, is_correct, difficulty, problem_id"
                        + (source.startsWith("draw") ? ", draw_index" : "") + "]}"
                        + (prepare.length > 0 ? ", " + prepare[0] : "") + "}\nsample:\n" + feeds.indent(2);
        return JobContext.of(
                session(), JobFile.read("t.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }

    private static SparkSession session() {
        return LocalSpark.current(3);
    }

    private static List<Row> rows(PreparedTable table, String first, String... columns) {
        return session()
                .read()
                .parquet(table.path() + "/data")
                .select(first, columns)
                .collectAsList();
    }

    /** By place in the plan's list the line that it names. */
    private static long[] listOf(Plan plan, List<Row> prepared) {
        List<Row> rows =
                session().read().parquet(plan.path() + "/rows").orderBy("index").collectAsList();
        return rows.stream()
                .mapToLong(row ->
                        prepared.get((int) row.getLong(row.fieldIndex("row"))).getLong(0))
                .toArray();
    }

    private static Set<Long> sourceRows(Plan plan, PreparedTable table) {
        List<Row> prepared = rows(table, "_source_row");
        Set<Long> lines = new TreeSet<>();
        session()
                .read()
                .parquet(plan.path() + "/rows")
                .collectAsList()
                .forEach(row -> lines.add(
                        prepared.get((int) row.getLong(row.fieldIndex("row"))).getLong(0)));
        return lines;
    }

    private static long bytesRead() {
        return Objects.requireNonNull(FileSystem.getGlobalStorageStatistics().get("file"))
                .getLong("bytesRead");
    }

    private static List<Long> golden() throws IOException {
        Path file = Path.of("../sampling/src/test/resources/golden/weighted-mtp-v1.json");
        String line = Files.readAllLines(file).stream()
                .filter(one -> one.startsWith("{\"rows\": 5000, \"samples\": 1000, \"seed\": 42, \"bins\"")
                        && one.contains("\"weights\": {\"low\": 0.7, \"medium\": 0.3, \"high\": 0.0}, \"length\""))
                .findFirst()
                .orElseThrow();
        String first = line.substring(line.indexOf("\"first\": [") + 10, line.indexOf("], \"digest\""));
        return Stream.of(first.split(", ", -1)).map(Long::valueOf).toList();
    }

    private static long word(int line) {
        return line * 2654435761L % (1L << 32);
    }

    private static boolean isCorrect(int line) {
        return (word(line) >> 9) % 5 < 3;
    }

    private static String text(int shortest) {
        return IntStream.range(0, LINES).mapToObj(line -> line(line, shortest)).collect(Collectors.joining("\n"));
    }

    private static String line(int line, int shortest) {
        return String.format(
                Locale.ROOT,
                "{\"task_id\": \"p%d_correct_%d\", \"input\": \"%s\", \"is_correct\": %b%s}",
                line % 7,
                line,
                "x".repeat(shortest + (int) (word(line) % (shortest * 3 / 2))),
                isCorrect(line),
                line % 17 == 5 ? "" : ", \"metadata\": {\"difficulty\": " + ((word(line) >> 16) % 14 - 1) + "}");
    }

    private static String reported(int line) {
        return String.format(
                Locale.ROOT,
                "{\"is_correct\": %b, \"difficulty\": %s, \"problem_id\": \"p%d\"}",
                isCorrect(line),
                line % 17 == 5 ? "null" : Long.toString((word(line) >> 16) % 14 - 1),
                line % 7);
    }
}
