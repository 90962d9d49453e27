package io.rankfeed.spark.engine;

import io.rankfeed.export.parquet.FileRowGroup;
import io.rankfeed.spark.file.FileRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A query that selects and filters the rows of one source, read in that source's order: Spark's own scan, cut into
 * stretches of files, so that a task can be given those of its unit one after the other. Nothing is shuffled or sorted.
 */
public final class SourceScan {
    private static final long MIN_STRETCH_BYTES = 4 << 20;
    private static final int MAX_STRETCHES = 1 << 14;

    /** The rows of a partition of the scan: {@code from} (inclusive) and {@code to} (exclusive) are row indexes in the source file. */
    private record Stretch(int partition, String host, int source, long startByte, long rows, long from, long to) {}

    private final RDD<InternalRow> rows;
    private final List<Stretch> stretches;
    private final boolean filtered;

    private SourceScan(RDD<InternalRow> rows, List<Stretch> stretches, boolean filtered) {
        this.rows = rows;
        this.stretches = stretches;
        this.filtered = filtered;
    }

    /**
     * Plans the scan of a query's rows.
     *
     * @param rowGroups of each file of the source
     * @param fileOf the number of a file, from its URI
     * @return empty if Spark executes the query in another way
     */
    public static Optional<SourceScan> of(
            SparkSession spark,
            Dataset<Row> query,
            List<List<FileRowGroup>> rowGroups,
            long sourceBytes,
            ToIntFunction<String> fileOf) {
        if (rowGroups.isEmpty()) {
            return Optional.empty();
        }
        long stretchBytes = Math.max(MIN_STRETCH_BYTES, sourceBytes / MAX_STRETCHES);
        // A split of so many bytes is a partition by itself, whatever cores there are.
        Map<String, String> settings = Map.of(
                "spark.sql.files.maxPartitionBytes", Long.toString(stretchBytes),
                "spark.sql.files.openCostInBytes", Long.toString(stretchBytes),
                "spark.sql.files.maxPartitionNum", Integer.toString(Integer.MAX_VALUE),
                "spark.sql.sources.bucketing.enabled", "false");
        Map<String, Optional<String>> before = new HashMap<>();
        try {
            settings.forEach((key, value) -> {
                before.put(key, Optional.ofNullable(spark.conf().get(key, null)));
                spark.conf().set(key, value);
            });
            return planned(
                    InternalRows.query(spark, ((org.apache.spark.sql.classic.Dataset<Row>) query).logicalPlan()),
                    rowGroups,
                    fileOf);
        } finally {
            before.forEach((key, value) -> value.ifPresentOrElse(
                    old -> spark.conf().set(key, old), () -> spark.conf().unset(key)));
        }
    }

    private static Optional<SourceScan> planned(
            Dataset<Row> query, List<List<FileRowGroup>> rowGroups, ToIntFunction<String> fileOf) {
        SparkPlan at = query.queryExecution().executedPlan();
        boolean filtered = false;
        while (!(at instanceof FileSourceScanExec)) {
            boolean known = at instanceof ProjectExec
                    || at instanceof FilterExec
                    || at instanceof ColumnarToRowExec
                    || at instanceof WholeStageCodegenExec
                    || at instanceof InputAdapter;
            if (!known) {
                return Optional.empty();
            }
            filtered |= at instanceof FilterExec;
            at = at.children().head();
        }
        FileSourceScanExec scan = (FileSourceScanExec) at;
        filtered |= !scan.partitionFilters().isEmpty() || !scan.dataFilters().isEmpty();
        RDD<InternalRow> rows = query.queryExecution().toRdd();
        RDD<?> below = rows;
        while (!(below instanceof FileScanRDD)) {
            if (below.dependencies().size() != 1 || !(below.dependencies().head() instanceof OneToOneDependency)) {
                return Optional.empty();
            }
            below = below.dependencies().head().rdd();
        }
        List<Stretch> stretches = stretches((FileScanRDD) below, rowGroups, fileOf);
        long found = stretches.stream().mapToLong(Stretch::rows).sum();
        long all = rowGroups.stream()
                .flatMap(List::stream)
                .mapToLong(FileRowGroup::rows)
                .sum();
        boolean whole = filtered ? found <= all : found == all;
        return whole && !stretches.isEmpty()
                ? Optional.of(new SourceScan(rows, stretches, filtered))
                : Optional.empty();
    }

    /** Returns the stretches in the order of the source; empty if a partition has several files. */
    private static List<Stretch> stretches(
            FileScanRDD scan, List<List<FileRowGroup>> rowGroups, ToIntFunction<String> fileOf) {
        List<Stretch> stretches = new ArrayList<>();
        for (FilePartition partition : CollectionConverters.asJava(scan.filePartitions())) {
            if (partition.files().length != 1) {
                return List.of();
            }
            PartitionedFile split = partition.files()[0];
            int file = fileOf.applyAsInt(split.filePath().urlEncoded());
            List<FileRowGroup> groups = rowGroups.get(file).stream()
                    .filter(group ->
                            group.middleByte() >= split.start() && group.middleByte() < split.start() + split.length())
                    .toList();
            if (groups.isEmpty()) {
                continue;
            }
            FileRowGroup last = groups.get(groups.size() - 1);
            var hosts = scan.preferredLocations(partition);
            stretches.add(new Stretch(
                    partition.index(),
                    hosts.isEmpty() ? "" : hosts.head(),
                    file,
                    split.start(),
                    groups.stream().mapToLong(FileRowGroup::rows).sum(),
                    FileRow.of(file, groups.get(0).firstRow()),
                    FileRow.of(file, last.firstRow() + last.rows())));
        }
        stretches.sort(Comparator.comparingInt(Stretch::source).thenComparingLong(Stretch::startByte));
        return stretches;
    }

    /** Whether each row of the source is one of the query's, so that they need not be counted. */
    public boolean isWhole() {
        return !filtered;
    }

    /** The rows of one file, in one partition. */
    public JavaRDD<InternalRow> file(int source) {
        return grouped(List.of(
                stretches.stream().filter(stretch -> stretch.source() == source).toList()));
    }

    /** Positions of the source's rows, as {@link FileRow}: {@code from} inclusive, {@code to} exclusive. */
    public record Range(long from, long to) {}

    /** The indexes of ranges, those with most rows first: a long task that starts last would delay the end. */
    public int[] largestFirst(List<Range> ranges) {
        long[] rows = ranges.stream()
                .mapToLong(range -> in(range).mapToLong(Stretch::rows).sum())
                .toArray();
        return IntStream.range(0, rows.length)
                .boxed()
                .sorted(Comparator.comparingLong(index -> -rows[index]))
                .mapToInt(index -> index)
                .toArray();
    }

    /**
     * A partition for each range, with its rows in their order. Before and after them may be rows of neighboring ranges,
     * if a row group belongs to two ranges.
     */
    public JavaRDD<InternalRow> ranges(List<Range> ranges) {
        return grouped(ranges.stream().map(range -> in(range).toList()).toList());
    }

    private Stream<Stretch> in(Range range) {
        return stretches.stream().filter(stretch -> stretch.to() > range.from() && stretch.from() < range.to());
    }

    private JavaRDD<InternalRow> grouped(List<List<Stretch>> groups) {
        List<ChosenPartitions.Group> chosen = groups.stream()
                .map(group -> new ChosenPartitions.Group(
                        new ArrayList<>(group.stream().map(Stretch::partition).toList()),
                        group.isEmpty() ? "" : group.get(0).host()))
                .toList();
        return new ChosenPartitions(chosen).of(rows).toJavaRDD();
    }
}
