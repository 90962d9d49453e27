package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.PreparedFixture;
import io.rankfeed.spark.sample.Sample;
import io.rankfeed.spark.sample.TableRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExportIT {
    private static final int SHARD_ROWS = 128;

    private Path root;
    private SparkSession spark;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        root = folder;
        spark = PreparedFixture.session();
        PreparedFixture.write(spark, root);
    }

    @Test
    void lane_each_holdsItsPlannedRowsInOrder() throws IOException {
        Version version = ExportRun.run(spark, root);
        Path folder = Path.of(version.path().toUri().getPath());
        Manifest.Version manifest = (Manifest.Version) ManifestJson.read(folder);
        Plan plan = Sample.run(PreparedFixture.context(spark, root, ExportRun.JOB), ExportRun.prepared(root));

        Set<String> files = new HashSet<>();
        for (String feed : List.of("train", "valid")) {
            lanes(plan, feed).forEach((lane, rows) -> files.addAll(checkLane(folder, feed, lane, rows)));
        }
        assertThat(files).anyMatch(file -> file.contains("shared")).anyMatch(file -> file.endsWith("-00001.arrow"));
        files.add("selection.json");
        files.add("README.md");
        assertThat(manifest.files().stream().map(file -> file.path().value())).hasSameElementsAs(files);
        Map<String, String> digests = PreparedFixture.digests(folder);
        assertThat(digests.keySet()).hasSize(files.size() + 1);
        for (ArtifactFile file : manifest.files()) {
            assertThat(digests).containsEntry(file.path().value(), file.sha256());
        }
        assertThat(manifest.maxLengths().keySet()).containsExactly("part", "tag", "tokens");
        assertThat(manifest.maxLengths()).containsEntry("tokens", 8L).containsEntry("part", 5L);
        assertThat(manifest.rows()).isEqualTo(version.rows());
        Selection selection =
                SelectionJson.parse(Files.readAllBytes(folder.resolve("selection.json")), "selection.json");
        assertThat(selection.storage()).contains(new Order.Storage(32, SHARD_ROWS));
        assertThat(manifest.inputs()).contains(new Input.SelectionInput(digests.get("selection.json")));
    }

    @Test
    void jobs_withTheSameRowsAndAnotherOrder_shareTheVersion(@TempDir Path other) throws IOException {
        ExportRun.copy(root, other, "prepared");
        String all = ExportRun.JOB.replace("seed: 42", "seed: 42\n    pool: all");
        Version first = ExportRun.run(spark, other, all);
        SortedMap<String, String> before = ExportRun.digests(other);
        before.keySet().removeIf(path -> !path.startsWith("versions/"));
        Version second = ExportRun.run(
                spark,
                other,
                all.replace("seed: 42", "seed: 43")
                        .replace("batch: 12", "batch: 24")
                        .replace("epochs: 2", "epochs: 3")
                        .replace("weights: {low: 1, med: 1, high: 2}", "weights: {low: 1, med: 3, high: 2}"));
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.order()).isNotEqualTo(first.order());
        SortedMap<String, String> after = ExportRun.digests(other);
        assertThat(after).containsAllEntriesOf(before);
        for (Version version : List.of(first, second)) {
            String file = "orders/" + version.order().plan() + "/order.json";
            assertThat(OrderId.parse(Files.readAllBytes(other.resolve("t").resolve(file)), file))
                    .isEqualTo(version.order());
            assertThat(after).containsKey(file);
        }
        after.keySet().removeIf(path -> !path.startsWith("versions/"));
        assertThat(after).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(Export.Reading.class)
    void lanes_eitherReading_haveTheSameBytes(Export.Reading reading, @TempDir Path other) throws IOException {
        ExportRun.run(spark, root);
        ExportRun.copy(root, other, "prepared");
        JobContext context = PreparedFixture.context(spark, other, ExportRun.JOB);
        PreparedTable prepared = ExportRun.prepared(other);
        Version version = Export.run(context, prepared, Sample.run(context, prepared), reading);
        SortedMap<String, String> made = ExportRun.digests(other);
        assertThat(made.keySet()).anyMatch(name -> name.contains(version.id()));
        assertThat(ExportRun.digests(root)).containsAllEntriesOf(made);
    }

    @Test
    void columns_chosen_areExportedInTheirOrder() throws IOException {
        Version version =
                ExportRun.run(spark, root, ExportRun.JOB.replace("export: {", "export: {columns: [score, tokens], "));
        Path folder = Path.of(version.path().toUri().getPath());

        assertThat(((Manifest.Version) ManifestJson.read(folder)).schema().names())
                .containsExactly("score", "tokens");
        assertThat(ArrowFile.read(folder.resolve("lanes/valid/lane-00003-00000.arrow"))
                        .columns()
                        .keySet())
                .containsExactly("_row_id", "_source", "_source_row", "score", "score.valid", "tokens");
        assertThatThrownBy(() ->
                        ExportRun.run(spark, root, ExportRun.JOB.replace("export: {", "export: {columns: [tokns], ")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tokns")
                .hasMessageContaining("tokens");
    }

    @Test
    void bit_flippedInTableOrPlan_isDamageOfTheFile(@TempDir Path other) throws IOException {
        ExportRun.copy(root, other, "prepared");
        PreparedTable prepared = ExportRun.prepared(other);
        Plan plan = Sample.run(PreparedFixture.context(spark, other, ExportRun.JOB), prepared);
        Path row = Path.of(prepared.path().toUri().getPath()).resolve("data/part-00001-00000.parquet");
        Path list = Path.of(plan.path().toUri().getPath()).resolve(Plan.rowsFile("train", 0));

        for (Path file : List.of(row, list)) {
            byte[] whole = Files.readAllBytes(file);
            byte[] bytes = whole.clone();
            bytes[bytes.length / 2] ^= 0x10;
            Files.write(file, bytes);
            for (Export.Reading reading : Export.Reading.values()) {
                JobContext context = PreparedFixture.context(spark, other, ExportRun.JOB);
                assertThatThrownBy(() -> Export.run(context, prepared, plan, reading))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining(file.getFileName().toString());
            }
            Files.write(file, whole);
        }
        assertThat(ExportRun.digests(other).keySet())
                .noneMatch(path -> path.startsWith("versions/") && path.endsWith("manifest.json"));
    }

    /** Rows of each lane's file by ordinal, out of the plan's table. */
    private SortedMap<Integer, List<TableRow>> lanes(Plan plan, String feed) {
        String file = new org.apache.hadoop.fs.Path(plan.path(), Plan.rowsFile(feed, 0)).toString();
        SortedMap<Integer, Map<Long, TableRow>> byOrdinal = new TreeMap<>();
        for (Row row : spark.read().parquet(file).collectAsList()) {
            int n = row.getInt(5) * PreparedFixture.FILE_ROWS + (int) row.getLong(6);
            assertThat(row.getLong(4)).isEqualTo(new TableRow(n).rowId());
            byOrdinal.computeIfAbsent(row.getInt(2), lane -> new HashMap<>()).put(row.getLong(3), new TableRow(n));
        }
        SortedMap<Integer, List<TableRow>> lanes = new TreeMap<>();
        byOrdinal.forEach((lane, rows) -> {
            List<TableRow> list = new ArrayList<>();
            for (long ordinal = 0; ordinal < rows.size(); ordinal++) {
                list.add(rows.get(ordinal));
            }
            lanes.put(lane, list);
        });
        return lanes;
    }

    private static Set<String> checkLane(Path folder, String feed, int lane, List<TableRow> rows) {
        Set<String> files = new HashSet<>();
        for (int from = 0; from < rows.size(); from += SHARD_ROWS) {
            List<TableRow> shard = rows.subList(from, Math.min(rows.size(), from + SHARD_ROWS));
            String name = lane < 0 ? "shared" : String.format("lane-%05d", lane);
            String path = String.format("lanes/%s/%s-%05d.arrow", feed, name, from / SHARD_ROWS);
            try {
                check(ArrowFile.read(folder.resolve(path)), feed, lane, shard);
            } catch (IOException e) {
                throw new AssertionError(path, e);
            }
            files.add(path);
        }
        return files;
    }

    private static void check(ArrowFile file, String feed, int lane, List<TableRow> rows) {
        assertThat(file.metadata())
                .containsEntry("rankfeed.feed", feed)
                .containsEntry("rankfeed.lane", lane < 0 ? "shared" : Integer.toString(lane));
        assertThat(file.batchRows().subList(0, file.batchRows().size() - 1)).allMatch(count -> count == 32);
        Map<String, List<Object>> columns = file.columns();
        assertThat(columns.get("_row_id"))
                .isEqualTo(rows.stream().map(TableRow::rowId).toList());
        for (int i = 0; i < rows.size(); i++) {
            TableRow row = rows.get(i);
            assertThat(columns.get("_source").get(i)).isEqualTo(row.n() / PreparedFixture.FILE_ROWS);
            assertThat(columns.get("_source_row").get(i)).isEqualTo((long) (row.n() % PreparedFixture.FILE_ROWS));
            assertThat(columns.get("id").get(i)).isEqualTo(row.id());
            assertThat(columns.get("correct").get(i)).isEqualTo((byte) (row.correct() ? 1 : 0));
            assertThat(columns.get("difficulty").get(i)).isEqualTo(row.difficulty());
            assertThat(columns.get("part").get(i)).isEqualTo(row.part());
            assertThat(columns.get("tag").get(i)).isEqualTo(row.tag() == null ? "" : row.tag());
            assertThat(columns.get("tag.valid").get(i)).isEqualTo((byte) (row.tag() == null ? 0 : 1));
            assertThat(columns.get("tokens").get(i)).isEqualTo(row.tokens());
            assertThat(columns.get("box").get(i)).isEqualTo(row.box());
            assertThat(columns.get("score").get(i)).isEqualTo(row.score() == null ? 0.0 : row.score());
            assertThat(columns.get("score.valid").get(i)).isEqualTo((byte) (row.score() == null ? 0 : 1));
        }
    }
}
