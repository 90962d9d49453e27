package io.rankfeed.spark.prepare.write;

import io.rankfeed.job.StatisticsSection;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.manifest.ColumnStatistics;
import io.rankfeed.spark.engine.GuardedQuery;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.tensor.ScalarKind;
import io.rankfeed.spark.tensor.TensorNumbers;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * What is measured of packed rows while they are written: each unit's rows in their order, the units in theirs, so that
 * the same numbers come out every time.
 *
 * @param columns ordinals of those that are measured; none where nothing is
 * @param where leaves out rows that do not count
 */
public record Statistics(RowLayout layout, ArrayList<Integer> columns, RowSteps where) implements Serializable {
    /** @throws ConfigException if a column is not there or has no numbers, or the condition cannot be asked of a row */
    public static Statistics of(SparkSession spark, RowLayout layout, Optional<StatisticsSection> section) {
        if (section.isEmpty()) {
            return none(layout);
        }
        ArrayList<Integer> columns = new ArrayList<>();
        section.get().columns().forEach(name -> columns.add(ordinal(layout, name)));
        RowSteps where = section.get()
                .where()
                .map(condition ->
                        GuardedQuery.condition(spark, layout.shuffled(), "prepare.statistics.where", condition))
                .orElseGet(RowSteps::none);
        return new Statistics(layout, columns, where);
    }

    private static int ordinal(RowLayout layout, String name) {
        List<String> known = layout.columns().stream().map(PreparedColumn::name).toList();
        int found = known.indexOf(name);
        if (found < 0) {
            throw new ConfigException("prepare.statistics.columns: no column '" + name + "' in the query's result"
                    + Suggestion.hint(name, known));
        }
        DType dtype = layout.columns().get(found).dtype();
        if (dtype.isBytes()) {
            throw new ConfigException("prepare.statistics.columns: column '" + name + "' is " + dtype.id()
                    + "; statistics are of numbers");
        }
        return found;
    }

    private static Statistics none(RowLayout layout) {
        return new Statistics(layout, new ArrayList<>(), RowSteps.none());
    }

    /** Measures nothing, because the rows were measured before. */
    Statistics none() {
        return none(layout);
    }

    /** What the units' numbers are together, by column. */
    public Map<String, ColumnStatistics> merged(List<UnitResult> results) {
        Map<String, ColumnStatistics> all = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            NumberSums sums = new NumberSums();
            for (UnitResult result : results) {
                if (!result.sums().isEmpty()) {
                    sums.add(result.sums().get(i));
                }
            }
            all.put(layout.columns().get(columns.get(i)).name(), sums.statistics());
        }
        return all;
    }

    /**
     * Starts the statistics of one unit.
     *
     * @param places names the row at which the condition fails
     */
    Running open(SourceIndex places) {
        return new Running(places);
    }

    /** Measures the rows of one unit. */
    final class Running {
        private final RowSteps.Run counts = where.open();
        private final List<NumberSums> sums = new ArrayList<>();
        private final SourceIndex places;

        private Running(SourceIndex places) {
            this.places = places;
            columns.forEach(column -> sums.add(new NumberSums()));
        }

        void add(UnsafeRow row) {
            if (columns.isEmpty() || !isCounted(row)) {
                return;
            }
            for (int i = 0; i < columns.size(); i++) {
                int at = columns.get(i);
                if (!row.isNullAt(at)) {
                    add(row, at, sums.get(i));
                }
            }
        }

        private boolean isCounted(UnsafeRow row) {
            try {
                return counts.of(row) != null;
            } catch (RuntimeException e) {
                UnfitValueException unfit = SparkFailures.unfitValue(e).orElseThrow(() -> e);
                throw new CorruptDataException(
                        places.row(row.getInt(layout.source()), row.getLong(layout.sourceRow())),
                        "prepare.statistics.where: " + unfit.getMessage() + "; " + SparkFailures.TRY);
            }
        }

        private void add(UnsafeRow row, int at, NumberSums numbers) {
            PreparedColumn column = layout.columns().get(at);
            if (column.isPacked()) {
                TensorNumbers.each(column.dtype(), row.getBinary(at), column.headBytes(), numbers::add);
                return;
            }
            numbers.add(ScalarKind.of(column.source()).orElseThrow().number(row, at));
        }

        List<NumberSums> finish() {
            return sums;
        }
    }
}
