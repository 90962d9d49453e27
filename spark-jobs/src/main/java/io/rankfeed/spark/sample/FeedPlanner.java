package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.lit;

import io.rankfeed.sampling.OnShortage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.job.FeedSection;
import io.rankfeed.spark.source.Condition;
import io.rankfeed.spark.source.Refusals;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Plans one feed: counts its strata and has the numbers of its order made. */
final class FeedPlanner {
    /** Rows by strata, and those that the feed may draw from. */
    private record Counted(
            Dataset<Row> rows,
            StrataColumns columns,
            StageLevels levels,
            BinCounts counts,
            List<CountedStratum> strata,
            long dropped) {}

    private final Dataset<Row> prepared;
    private final String name;
    private final FeedSection section;
    private final UnaryOperator<Dataset<Row>> listed;

    /**
     * @param prepared the prepared table, or rows with the columns that the feed speaks of
     * @param listed chooses the rows of the feed's list, if it has one
     */
    FeedPlanner(Dataset<Row> prepared, String name, FeedSection section, UnaryOperator<Dataset<Row>> listed) {
        this.prepared = prepared;
        this.name = name;
        this.section = section;
        this.listed = listed;
    }

    /**
     * @param tableRows rows of the prepared table
     * @throws ConfigException if the feed cannot be planned as it is written; the message names the feed
     */
    PlannedFeed plan(long tableRows) {
        FeedOrder order = FeedOrder.of(section, tableRows);
        Counted counted = counted(order.bin(), order.shift());
        FeedNumbers numbers =
                numbers(counted, OnShortage.valueOf(section.onShortage().name()));
        return new PlannedFeed(
                section,
                order,
                numbers.feed(),
                numbers.decisions(),
                numbers.drawnAs(),
                numbers.easyToHard(),
                counted.strata(),
                counted.dropped(),
                counted.rows(),
                counted.columns().name(),
                counted.counts());
    }

    /**
     * What {@link #plan} would make. Where strata are too short, that is refused and yet shown: what is wanted of each
     * and what there is.
     */
    Optional<FeedReport> preview(Refusals refusals) {
        Optional<Counted> counted = refusals.of(() -> counted(lit(0L), Long.SIZE));
        Optional<FeedNumbers> planned = counted.flatMap(found -> refusals.of(
                () -> numbers(found, OnShortage.valueOf(section.onShortage().name()))));
        return planned.or(() -> counted.flatMap(found -> new Refusals().of(() -> numbers(found, OnShortage.REPEAT))))
                .map(numbers -> FeedReport.of(
                        numbers.feed(),
                        numbers.decisions(),
                        section,
                        counted.orElseThrow().strata(),
                        counted.orElseThrow().dropped()));
    }

    /**
     * @param bin of a row in the feed's order
     * @param shift low bits of the order that a bin leaves out
     */
    private Counted counted(Column bin, int shift) {
        Dataset<Row> rows = listed.apply(filtered());
        section.orderBy().ifPresent(column -> ListOrder.check(name, column, rows));
        StrataColumns columns = new StrataColumns(name, section, rows);
        BinCounts counts = columns.counts(rows, bin, shift);
        List<CountedStratum> strata = columns.strata(counts, rows);
        long dropped = StrataColumns.dropped(counts, strata);
        if (strata.stream().allMatch(stratum -> stratum.rows() == 0)) {
            throw new ConfigException("feed '" + name + "': no row is left"
                    + section.where().map(where -> " by where: " + where).orElse("; the prepared table is empty"));
        }
        return new Counted(rows, columns, StageLevels.of(name, section.stages(), rows), counts, strata, dropped);
    }

    private FeedNumbers numbers(Counted counted, OnShortage onShortage) {
        return FeedNumbers.of(name, section, counted.strata(), counted.columns().edges(), counted.levels(), onShortage);
    }

    private Dataset<Row> filtered() {
        return section.where()
                .map(where -> Condition.filtered("feed '" + name + "', where", prepared, where))
                .orElse(prepared);
    }
}
