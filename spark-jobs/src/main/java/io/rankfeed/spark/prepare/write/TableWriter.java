package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.GuardedQuery;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.job.PrepareSection;
import io.rankfeed.spark.job.PrepareSection.OnBadRow;
import io.rankfeed.spark.prepare.pack.GuardedPacker;
import io.rankfeed.spark.prepare.pack.KeyText;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.prepare.pack.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;

/** Packs the query's rows, brings each unit's rows to one task in their total order, and has them written. */
public final class TableWriter {
    /** How many units' tails go into one task: what is left over of so many hardly counts, and the task is no long one. */
    private static final int TAILS_TOGETHER = 16;

    private static final int MAX_DUPLICATES = 1 << 20;

    private final SparkSession spark;
    private final RowLayout layout;
    private final SourceIndex places;
    private final OnBadRow onBadRow;

    public TableWriter(SparkSession spark, RowLayout layout, SourceIndex places, OnBadRow onBadRow) {
        this.spark = spark;
        this.layout = layout;
        this.places = places;
        this.onBadRow = onBadRow;
    }

    /** The same for rows of other columns. */
    public TableWriter of(RowLayout other) {
        return new TableWriter(spark, other, places, onBadRow);
    }

    /** Rows of {@link RowLayout}, in no order. */
    public Dataset<Row> packed(Dataset<Row> rows, FlatMapFunction<Iterator<InternalRow>, InternalRow> packer) {
        return packed(rows, packer, List.of());
    }

    /** The same with packed rows from elsewhere. */
    public Dataset<Row> packed(
            Dataset<Row> rows,
            FlatMapFunction<Iterator<InternalRow>, InternalRow> packer,
            List<JavaRDD<InternalRow>> more) {
        JavaRDD<InternalRow> shaped = InternalRows.of(rows).mapPartitions(packer);
        for (JavaRDD<InternalRow> others : more) {
            shaped = shaped.union(others);
        }
        return InternalRows.query(spark, shaped, layout.shuffled());
    }

    /**
     * Writes a table.
     *
     * @param byUnit packed rows, a unit's in one partition and in their total order
     * @param keyCheck whether the results are to tell the ids of rows
     * @return the results by unit, those of merged tails last
     */
    public List<UnitResult> write(
            JavaRDD<InternalRow> byUnit,
            Units units,
            ArtifactAttempt folder,
            PrepareSection section,
            Statistics statistics,
            KeyCheck keyCheck) {
        RowGroupTask task = new RowGroupTask(
                layout,
                places,
                folder,
                UnitWriter.Format.of(section),
                units.count() > 1 && (section.clusterBy().isEmpty() || !units.keepsOrder()),
                new RowGroupTask.Guard(
                        onBadRow,
                        units.count(),
                        onBadRow == OnBadRow.FAIL
                                ? RowSteps.none()
                                : GuardedQuery.content(
                                        spark,
                                        layout.shuffled(),
                                        layout.columns().stream()
                                                .map(PreparedColumn::name)
                                                .toList())),
                statistics,
                keyCheck);
        List<UnitResult> results =
                new ArrayList<>(byUnit.mapPartitions(task::units).collect());
        results.sort(Comparator.comparingInt(UnitResult::unit));
        results.addAll(mergedTails(results, units.count(), task));
        return results;
    }

    /** @param clusterBy columns of the user's that go before the total order; perhaps none */
    public JavaRDD<InternalRow> sorted(Dataset<Row> packed, Units units, List<String> clusterBy) {
        // A partition is a unit: with the unit first, Spark would compare whole rows where one number tells.
        List<Column> order = new ArrayList<>();
        clusterBy.forEach(column -> order.add(Columns.named(column)));
        order.add(functions.col(RowLayout.MAJOR));
        order.add(functions.col(RowLayout.KEY));
        // Bad rows have a partition of their own behind the units'.
        int partitions = units.count() + (onBadRow == OnBadRow.FAIL ? 0 : 1);
        return InternalRows.of(packed.repartitionById(partitions, functions.col(RowLayout.UNIT))
                .sortWithinPartitions(order.toArray(Column[]::new)));
    }

    private List<UnitResult> mergedTails(List<UnitResult> results, int units, RowGroupTask task) {
        List<String> tails = new ArrayList<>();
        for (UnitResult result : results) {
            if (result.tail() != null) {
                tails.add(result.tail());
            }
        }
        List<ArrayList<String>> groups = new ArrayList<>();
        for (int i = 0; i < tails.size(); i += TAILS_TOGETHER) {
            groups.add(new ArrayList<>(tails.subList(i, Math.min(i + TAILS_TOGETHER, tails.size()))));
        }
        if (groups.isEmpty()) {
            return List.of();
        }
        RowGroupTask last = new RowGroupTask(
                task.layout(),
                task.places(),
                task.folder(),
                task.format(),
                false,
                task.guard(),
                task.statistics().none(),
                KeyCheck.BEFORE);
        return JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(groups, groups.size())
                .zipWithIndex()
                .map(group -> last.merged(units + group._2().intValue(), group._1()))
                .collect();
    }

    /** SourceIndex of the rows whose key another row before them has. */
    public GuardedPacker.Twins duplicates(Dataset<Row> packed) {
        Column place = functions.struct(functions.col(RowLayout.SOURCE), functions.col(RowLayout.SOURCE_ROW));
        List<Row> twins = packed.groupBy(RowLayout.KEY)
                .agg(functions.array_sort(functions.collect_list(place)).as("places"))
                .where("size(places) > 1")
                .selectExpr("explode(slice(places, 2, size(places) - 1)) AS place")
                .limit(MAX_DUPLICATES + 1)
                .collectAsList();
        if (twins.size() > MAX_DUPLICATES) {
            throw new ConfigException("prepare.on-bad-row: more than " + MAX_DUPLICATES
                    + " rows have a key that another has; name in prepare.key the columns that identify a row, or group"
                    + " by them in the job's SQL");
        }
        HashSet<GuardedPacker.Place> places = new HashSet<>();
        twins.forEach(row -> places.add(new GuardedPacker.Place(
                row.getStruct(0).getInt(0), row.getStruct(0).getLong(1))));
        return new GuardedPacker.Twins(places);
    }

    /** @throws CorruptDataException naming the first key that stands twice, and two of its rows */
    public void refuseDuplicates(Dataset<Row> packed) {
        Column place = functions.struct(functions.col(RowLayout.SOURCE), functions.col(RowLayout.SOURCE_ROW));
        List<Row> twice = packed.groupBy(RowLayout.KEY)
                .agg(functions.count(functions.lit(1)).as("count"), functions.min(place), functions.max(place))
                .where("count > 1")
                .orderBy(RowLayout.KEY)
                .limit(1)
                .collectAsList();
        if (!twice.isEmpty()) {
            Row found = twice.get(0);
            Row first = found.getStruct(2);
            Row last = found.getStruct(3);
            throw new CorruptDataException(
                    places.rows(first.getInt(0), first.getLong(1), last.getInt(0), last.getLong(1)),
                    KeyText.duplicate(found.getAs(0)));
        }
    }
}
