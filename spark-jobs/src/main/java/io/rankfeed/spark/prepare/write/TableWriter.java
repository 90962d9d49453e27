package io.rankfeed.spark.prepare.write;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes the rows of each unit in one task, and then what is left over of several units together. */
public final class TableWriter {
    /** The number of units whose tails one task merges: few enough for a short task, and enough that their remainder hardly counts. */
    private static final int TAILS_TOGETHER = 16;

    private TableWriter() {}

    /**
     * Writes a table.
     *
     * @param byUnit packed rows, a unit's in one partition and in their total order
     * @return the results by unit, those of merged tails last
     */
    public static List<UnitResult> write(JavaRDD<InternalRow> byUnit, TableSpec spec) {
        RowGroupTask task = new RowGroupTask(spec);
        List<UnitResult> results =
                new ArrayList<>(byUnit.mapPartitions(task::units).collect());
        results.sort(Comparator.comparingInt(UnitResult::unit));
        results.addAll(mergedTails(JavaSparkContext.fromSparkContext(byUnit.context()), results, task));
        return results;
    }

    private static List<UnitResult> mergedTails(JavaSparkContext context, List<UnitResult> results, RowGroupTask task) {
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
        int units = task.spec().units().count();
        return context.parallelize(groups, groups.size())
                .zipWithIndex()
                .map(group -> task.merged(units + group._2().intValue(), group._1()))
                .collect();
    }
}
