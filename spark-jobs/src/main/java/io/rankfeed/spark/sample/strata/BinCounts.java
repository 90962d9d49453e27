package io.rankfeed.spark.sample.strata;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.shiftrightunsigned;
import static org.apache.spark.sql.functions.sum;

import io.rankfeed.spark.engine.InternalRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The number of rows of each group in each bin of an order. One scan collects the counts to the driver, which computes
 * all that a feed's plan needs; if there are too many, Spark keeps them and widens their bins.
 *
 * @param lines the columns of a group, then {@link RankBins#BIN} and {@link RankBins#COUNT}
 * @param shift low bits of the order that a bin leaves out
 */
public record BinCounts(List<Row> lines, int shift) {
    /** Lines that the driver takes. */
    private static final int MAX_LINES = 1 << 18;

    /** Tasks that send them. */
    private static final int TASKS = 16;

    /** Lines that all tasks together send at most, where some have more than others. */
    private static final int MAX_SENT = 4 * MAX_LINES;

    /**
     * @param counts columns of a group, then {@link RankBins#BIN} and {@link RankBins#COUNT}, a line for each group and bin
     * @param shift low bits of the order that a bin leaves out
     * @return with wider bins where they are too many; if one bin a group is too many still, as many groups as there may be
     */
    static BinCounts of(Dataset<Row> counts, int shift) {
        JavaRDD<Row> once = counts.coalesce(TASKS).toJavaRDD();
        int maxOfTask = Math.min(MAX_LINES, MAX_SENT / Math.max(1, once.getNumPartitions()));
        FlatMapFunction<Iterator<Row>, List<Row>> first = lines -> first(lines, maxOfTask);
        List<List<Row>> parts = once.mapPartitions(first).collect();
        boolean whole = parts.stream().allMatch(part -> part.size() <= maxOfTask);
        long lines = parts.stream().mapToLong(List::size).sum();
        return whole && lines <= MAX_LINES
                ? new BinCounts(parts.stream().flatMap(List::stream).toList(), shift)
                // Spark reads the shuffled lines again, without another scan.
                : widened(counts.sparkSession().createDataFrame(once, counts.schema()), shift);
    }

    /**
     * Counts rows by their columns. Each task counts its own first, because Spark's aggregation of a few short texts takes a
     * multiple of the time.
     *
     * @param rows columns of text that are not null, then {@link RankBins#BIN}
     */
    static BinCounts ofRows(Dataset<Row> rows, int shift) {
        FlatMapFunction<Iterator<InternalRow>, InternalRow> counted = TaskCounts::new;
        StructType lines = rows.schema().add(RankBins.COUNT, DataTypes.LongType, false);
        Column[] group = Arrays.stream(rows.columns()).map(functions::col).toArray(Column[]::new);
        Dataset<Row> counts = InternalRows.query(
                        rows.sparkSession(), InternalRows.of(rows).mapPartitions(counted), lines)
                .groupBy(group)
                .agg(sum(RankBins.COUNT).as(RankBins.COUNT));
        return of(counts, shift);
    }

    /** The counts of rows that are one group and one bin, if their number is known. */
    public static BinCounts ofOne(long rows) {
        return new BinCounts(List.of(RowFactory.create(0L, rows)), Long.SIZE);
    }

    /** Returns the first lines of a task, and one more than the maximum if there are more. */
    private static Iterator<List<Row>> first(Iterator<Row> lines, int max) {
        List<Row> taken = new ArrayList<>();
        while (taken.size() <= max && lines.hasNext()) {
            taken.add(lines.next());
        }
        return Collections.singleton(taken).iterator();
    }

    private static BinCounts widened(Dataset<Row> counts, int shift) {
        Dataset<Row> kept = counts.persist();
        try {
            int wider = 0;
            for (long lines = kept.count();
                    lines > MAX_LINES && shift + wider < Long.SIZE;
                    lines = widened(kept, shift, wider).count()) {
                wider += Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(lines / MAX_LINES) - 1);
                wider = Math.min(wider, Long.SIZE - shift);
            }
            return new BinCounts(widened(kept, shift, wider).limit(MAX_LINES).collectAsList(), shift + wider);
        } finally {
            kept.unpersist();
        }
    }

    private static Dataset<Row> widened(Dataset<Row> counts, int shift, int bits) {
        Column bin = shift + bits >= Long.SIZE ? lit(0L) : shiftrightunsigned(col(RankBins.BIN), bits);
        Column[] columns = Arrays.stream(counts.columns())
                .filter(column -> !column.equals(RankBins.COUNT))
                .map(column -> column.equals(RankBins.BIN) ? bin.as(column) : col(column))
                .toArray(Column[]::new);
        return counts.groupBy(columns).agg(sum(RankBins.COUNT).as(RankBins.COUNT));
    }

    /** The number of rows of all groups. */
    long rows() {
        return lines.stream().mapToLong(BinCounts::rows).sum();
    }

    static long bin(Row line) {
        return line.getLong(line.size() - 2);
    }

    static long rows(Row line) {
        return line.getLong(line.size() - 1);
    }
}
