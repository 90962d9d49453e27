package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.job.PrepareSection;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.spark.engine.GuardedQuery;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.prepare.pack.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes the rows of each unit in one task, and then what is left over of several units together. */
public final class TableWriter {
    /** The number of units whose tails one task merges: few enough for a short task, and enough that their remainder hardly counts. */
    private static final int TAILS_TOGETHER = 16;

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

    /**
     * Writes a table.
     *
     * @param byUnit packed rows, a unit's in one partition and in their total order
     * @param keyCheck whether the results contain the ids of rows
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
}
