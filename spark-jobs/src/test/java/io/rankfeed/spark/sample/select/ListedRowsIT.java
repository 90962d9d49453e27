package io.rankfeed.spark.sample.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.ErrorList;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.PreparedFixture;
import io.rankfeed.spark.sample.Sample;
import io.rankfeed.spark.sample.SampledTable;
import io.rankfeed.spark.sample.TableRow;
import io.rankfeed.spark.sample.table.PreparedFrame;
import io.rankfeed.spark.sample.table.TableOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Feeds whose rows and order come from a list. */
class ListedRowsIT extends SampledTable {
    private static final String FEED = "batch: 8, lanes: 4, order: planned, ";

    @Test
    void keys_ofTextFile_areTheOrder() throws IOException {
        List<Integer> rows = shuffled(200);
        Path list = lines("keys", rows.stream().map(n -> new TableRow(n).id()).toList());
        assertThat(planned(FEED + "rows: 83, list: {text: '" + list + "'}")).isEqualTo(rows.subList(0, 80));
    }

    @Test
    @Tag("nightly")
    void keys_ofWholeList_areTheOrder() throws IOException {
        List<Integer> rows = shuffled(200);
        Path list = lines("keys", rows.stream().map(n -> new TableRow(n).id()).toList());
        assertThat(planned(FEED + "list: {text: '" + list + "'}")).isEqualTo(rows);
        assertThat(planned("kind: sequential, batch: 8, lanes: 4, list: {text: '" + list + "'}"))
                .isEqualTo(rows);
    }

    @Test
    void lists_absent_areAllReportedBeforeAnyWork() {
        JobContext context = PreparedFixture.context(
                spark,
                root,
                "sample: {one: {" + FEED + "list: {text: '/no/such/a.txt'}}, two: {" + FEED
                        + "list: {parquet: '/no/such/b'}}}");
        assertThatThrownBy(() -> FeedLists.refuseMissing(context))
                .isInstanceOf(ConfigException.class)
                .satisfies(refused -> assertThat(ErrorList.all(refused)
                                .map(Throwable::getMessage)
                                .toList())
                        .hasSize(2)
                        .anyMatch(line -> line.contains("sample.one.list") && line.contains("/no/such/a.txt"))
                        .anyMatch(line -> line.contains("sample.two.list") && line.contains("/no/such/b")));
        ConfigErrors refusals = new ConfigErrors();
        Sample.preview(context, prepared, refusals);
        assertThatThrownBy(refusals::throwIfAny)
                .satisfies(refused -> assertThat(ErrorList.all(refused)).hasSize(2));
    }

    @Test
    void rowNumbers_inParquet_areTheOrder() {
        List<Integer> rows = shuffled(160);
        Path list = root.resolve("numbers");
        spark.createDataset(rows.stream().map(Integer::longValue).toList(), org.apache.spark.sql.Encoders.LONG())
                .toDF("index")
                .coalesce(1)
                .write()
                .option("maxRecordsPerFile", 50)
                .parquet(list.toString());
        assertThat(planned(FEED + "list: {parquet: '" + list + "', of: index}")).isEqualTo(rows);
    }

    @Test
    void rowNumbers_followTheSourceAndNotTheUnits() {
        String source = root.resolve("several-units").toString();
        spark.range(0, 20_000, 1, 3)
                .selectExpr("id", "unhex(sha2(string(id), 512)) AS bytes")
                .write()
                .parquet(source);
        String yaml = "dataset: units\nroot: '" + root + "'\nsources: {t: {parquet: '" + source
                + "'}}\nprepare: {select: {from: t}, block: 64 KiB}\n";
        JobContext context = JobContext.of(
                spark, JobFile.read("units.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
        List<Row> rows = TableOrder.numbered(PreparedFrame.open(context, Prepare.run(context)))
                .select("id", TableOrder.INDEX, PreparedFrame.FILE)
                .orderBy("id")
                .collectAsList();
        assertThat(rows)
                .extracting(row -> row.getLong(1))
                .isEqualTo(LongStream.range(0, 20_000).boxed().toList());
        assertThat(rows)
                .extracting(row -> row.getInt(2))
                .isNotEqualTo(rows.stream().map(row -> row.getInt(2)).sorted().toList());
    }

    @Test
    void list_contentNotPath_isPartOfTheIdentity() throws IOException {
        List<Long> keys = shuffled(80).stream().map(n -> new TableRow(n).id()).toList();
        Path one = lines("list.txt", keys);
        Path same = root.resolve("elsewhere/list.txt");
        Files.createDirectories(same.getParent());
        Files.copy(one, same);
        Plan plan = Sample.run(context(FEED + "list: {text: '" + one + "'}"), prepared);
        assertThat(Sample.run(context(FEED + "list: {text: '" + same + "'}"), prepared)
                        .id())
                .isEqualTo(plan.id());
        List<Long> other = new ArrayList<>(keys);
        Collections.swap(other, 0, 1);
        Path changed = root.resolve("changed/list.txt");
        Files.createDirectories(changed.getParent());
        Files.copy(lines("other", other), changed);
        assertThat(Sample.run(context(FEED + "list: {text: '" + changed + "'}"), prepared)
                        .id())
                .isNotEqualTo(plan.id());
    }

    @Test
    void entries_wrong_areNamedWithTheirLines() throws IOException {
        List<Long> keys = new ArrayList<>(
                shuffled(80).stream().map(n -> new TableRow(n).id()).toList());
        keys.set(7, keys.get(3));
        keys.set(9, 12L);
        Path list = lines("wrong", keys);
        Files.writeString(list, "thirteen\n", java.nio.file.StandardOpenOption.APPEND);
        assertThatThrownBy(() -> planned(FEED + "list: {text: '" + list + "'}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "sample.train.list: 1 entry is not a value of the key's type: 'thirteen' (line 81)")
                .satisfies(e -> assertThat(e.getSuppressed()[0])
                        .hasMessageContaining("1 entry is listed twice: '" + keys.get(3) + "' (line 8)"))
                .satisfies(e -> assertThat(e.getSuppressed()[1])
                        .hasMessageContaining("1 entry is in no row of the feed: '12' (line 10)"));
        assertThatThrownBy(() -> planned(FEED + "list: {text: '" + root.resolve("none") + "'}"))
                .hasMessageContaining("sample.train.list: nothing exists at");
        assertThatThrownBy(() -> planned(FEED + "list: {parquet: '" + root.resolve("wrong") + "'}"))
                .hasMessageContaining("wrong");
    }

    /** So many of the table's rows, in an order that is not an order of theirs. */
    private static List<Integer> shuffled(int count) {
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, PreparedFixture.ROWS).boxed().toList());
        Collections.shuffle(all, new Random(6));
        return all.subList(0, count);
    }

    private Path lines(String name, List<Long> keys) throws IOException {
        return Files.writeString(
                root.resolve(name), keys.stream().map(Object::toString).collect(Collectors.joining("\n", "", "\n")));
    }

    /** The table's rows in the order of the plan's list. */
    private List<Integer> planned(String feed) {
        Plan plan = Sample.run(context(feed), prepared);
        String file = new org.apache.hadoop.fs.Path(plan.path(), Plan.rowsFile("train", 0)).toString();
        List<Row> rows = spark.read().parquet(file).orderBy("index").collectAsList();
        return rows.stream()
                .map(row -> row.getInt(5) * PreparedFixture.FILE_ROWS + (int) row.getLong(6))
                .toList();
    }

    private JobContext context(String feed) {
        return PreparedFixture.context(spark, root, "sample: {train: {" + feed + "}}");
    }
}
