package io.rankfeed.bench;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.when;
import static org.apache.spark.sql.functions.xxhash64;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.job.JobFile;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.Sample;
import io.rankfeed.spark.sample.table.PreparedFrame;
import io.rankfeed.spark.sample.table.StoredFrame;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Plans a curriculum over a table of CodeContests' shape (docs/format/plan.md) that is not stored: its rows are
 * generated while they are read. Prints one line of JSON: seconds of the counting and of the choosing scan, and the
 * most memory that was in use after a garbage collection, in the one JVM that is driver and executor.
 */
public final class PlanRun {
    private PlanRun() {}

    /** Times of the phases, as the job reports them. */
    private static final class Phases implements Progress {
        private final Map<String, Double> seconds = new LinkedHashMap<>();
        private String phase = "";
        private long beganNanos = System.nanoTime();

        @Override
        public void phase(String name) {
            ended();
            phase = name;
        }

        @Override
        public void note(String line) {}

        @Override
        public void detail(String line) {}

        @Override
        public void ended() {
            long now = System.nanoTime();
            if (!phase.isEmpty()) {
                seconds.merge(phase, (now - beganNanos) / 1e9, Double::sum);
            }
            phase = "";
            beganNanos = now;
        }
    }

    /** @param args rows of the table, rows to choose, folder of the plan */
    public static void main(String[] args) throws IOException {
        long rows = Long.parseLong(args[0]);
        AtomicLong peakBytes = new AtomicLong();
        watch(peakBytes);
        Phases phases = new Phases();
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            spark.range(1000).selectExpr("max(xxhash64(id))").collectAsList();
            String yaml = job(args[2], Long.parseLong(args[1]));
            JobContext context = JobContext.of(
                    spark, JobFile.read("plan-run", yaml.getBytes(StandardCharsets.UTF_8), List.of()), phases);
            Manifest.Prepared manifest = manifest(rows);
            PreparedTable table =
                    new PreparedTable(new org.apache.hadoop.fs.Path(args[2], manifest.id()), manifest, "0".repeat(64));
            Dataset<Row> made = rows(spark, rows);
            // The planner takes the number of rows from the files, and nothing else.
            PreparedFrame.DataFile file = new PreparedFrame.DataFile("made-up", rows, rows, 1, true);
            PreparedFrame frame = new StoredFrame(manifest, List.of(file), made.schema(), made);
            Plan plan = Sample.run(context, table, () -> frame);
            phases.ended();
            System.gc();
            System.out.printf(
                    Locale.ROOT,
                    "{\"rows\": %d, \"chosen\": %d, \"count_s\": %.2f, \"choose_s\": %.2f, \"peak_mib\": %d}%n",
                    rows,
                    plan.rows(),
                    phases.seconds.get("sample: strata of feed train"),
                    phases.seconds.get("sample: rows of feed train"),
                    peakBytes.get() >> 20);
        }
    }

    private static String job(String root, long chosen) {
        return String.format(Locale.ROOT, """
            dataset: plan-run
            root: %s
            sources: {t: {parquet: nowhere}}
            prepare: {sql: SELECT * FROM t, key: [id]}
            sample:
              train:
                batch: 256
                lanes: 64
                rows: %d
                strata:
                  - {column: is_correct}
                  - {column: difficulty, bins: {low: [1, 3], med: [4, 7], high: [8, 11]}, on-unbinned: error}
                balance: [is_correct]
                stages:
                  - {until: 0.3, weights: {low: 70, med: 30, high: 0}}
                  - {until: 0.7, weights: {low: 30, med: 60, high: 10}}
                  - {until: 1.0, weights: {low: 10, med: 50, high: 40}}
            """, root, chosen);
    }

    /**
     * Generates rows whose difficulty has the published proportions: 11.7 % low, 84.2 % medium, the rest high; half is
     * correct.
     */
    private static Dataset<Row> rows(SparkSession spark, long rows) {
        Column dice = pmod(xxhash64(col("id"), lit(1)), lit(1000L));
        return spark.range(rows)
                .toDF()
                .withColumn(
                        "is_correct", pmod(xxhash64(col("id"), lit(2)), lit(2L)).equalTo(0))
                .withColumn(
                        "difficulty",
                        when(dice.lt(117), lit(2)).when(dice.lt(959), lit(5)).otherwise(lit(9)))
                .withColumn(PreparedFrame.ROW_ID, xxhash64(col("id")))
                .withColumn(PreparedFrame.SOURCE, lit(0))
                .withColumn(PreparedFrame.SOURCE_ROW, col("id"))
                .withColumn(PreparedFrame.FILE, col("id").bitwiseAND(63).cast("int"))
                .withColumn(PreparedFrame.ROW, col("id").divide(64).cast("long"));
    }

    private static Manifest.Prepared manifest(long rows) {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("id", DType.INT64, Shape.scalar(), false),
                new Field("is_correct", DType.BOOL, Shape.scalar(), false),
                new Field("difficulty", DType.INT32, Shape.scalar(), false)));
        Contents contents = new Contents(
                "plan-run",
                JsonNodeFactory.instance.objectNode().put("rows", rows),
                List.of(new Input.FolderInput(
                        Input.FileFormat.PARQUET, "t", List.of(new Input.InputFile("made-up", 1, "0".repeat(64))))),
                rows,
                List.of());
        return new Manifest.Prepared(contents, schema, List.of("t/made-up"), Map.of(), Map.of());
    }

    private static void watch(AtomicLong peakBytes) {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector)
                    .addNotificationListener(
                            (notification, handback) -> peakBytes.accumulateAndGet(
                                    usedAfter((CompositeData) notification.getUserData()), Math::max),
                            null,
                            null);
        }
    }

    private static long usedAfter(CompositeData collection) {
        return com.sun.management.GarbageCollectionNotificationInfo.from(collection)
                .getGcInfo()
                .getMemoryUsageAfterGc()
                .values()
                .stream()
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }
}
