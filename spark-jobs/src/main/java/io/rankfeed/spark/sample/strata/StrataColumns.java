package io.rankfeed.spark.sample.strata;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat_ws;
import static org.apache.spark.sql.functions.lit;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.StrataColumn.OnUnbinned;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.job.plan.StageConditions;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.FeedDecisions.Edge;
import io.rankfeed.spark.engine.ConfigErrors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The columns by which a feed's rows fall into strata, as Spark expressions, and the strata that occur. */
public final class StrataColumns {
    /** Names of the columns of {@link #counts} begin so. */
    private static final String PART = "part";

    /** The maximum number of strata; more are a mistake in the job, and would all be collected. */
    private static final int MAX_STRATA = 100_000;

    private static final int SHOWN_VALUES = 5;

    private final String feed;
    private final List<StrataPart> parts = new ArrayList<>();
    private final Optional<Column> stages;

    /** @throws ConfigException if a column is unknown, cannot be binned, or cannot make strata */
    public StrataColumns(String feed, FeedSection section, Dataset<Row> rows, Quantiles quantiles) {
        this.feed = feed;
        ConfigErrors errors = new ConfigErrors();
        section.strata().forEach(column -> errors.of(() -> StrataPart.of(feed, column, rows, quantiles))
                .ifPresent(parts::add));
        this.stages =
                errors.of(() -> StageClasses.part(feed, section.stages(), rows)).orElse(Optional.empty());
        errors.throwIfAny();
    }

    /** The edges of quantile bins, column after column. */
    public List<Edge> edges() {
        return parts.stream().flatMap(part -> part.edges().stream()).toList();
    }

    /** The name of a row's stratum. A row without a stratum has a name that {@link #strata} does not give. */
    public Column name() {
        Column[] columns = columns();
        return columns.length == 0 ? lit(CountedStratum.ALL) : concat_ws("/", columns);
    }

    private Column[] columns() {
        return Stream.concat(parts.stream().map(StrataPart::part), stages.stream())
                .toArray(Column[]::new);
    }

    /**
     * Counts rows by what makes their stratum, and by their bin in an order: one scan, of which {@link #strata} and
     * {@link #stratumOf} know all.
     *
     * @param bin as {@link RankBins} makes it; a constant where only strata are asked for
     * @param shift low bits of the order that a bin leaves out
     */
    public BinCounts counts(Dataset<Row> rows, Column bin, int shift) {
        Column[] columns = columns();
        Column[] grouped = new Column[columns.length + 1];
        for (int i = 0; i < columns.length; i++) {
            grouped[i] = columns[i].as(PART + i);
        }
        grouped[columns.length] = bin.as(RankBins.BIN);
        return BinCounts.ofRows(rows.select(grouped), shift);
    }

    /**
     * The strata that occur and how many rows each has, by name; unbinned rows are left out where the job says drop.
     *
     * @param counts from {@link #counts}
     * @param rows those that were counted, read again only to report what is wrong with them
     * @throws ConfigException naming the column, the values and how many, of unbinned values and nulls
     */
    public List<CountedStratum> strata(BinCounts counts, Dataset<Row> rows) {
        if (columns().length == 0) {
            return List.of(new CountedStratum(CountedStratum.ALL, List.of(), counts.rows()));
        }
        Map<List<String>, Long> groups = new HashMap<>();
        counts.lines().forEach(line -> groups.merge(parts(line), BinCounts.rows(line), Long::sum));
        if (groups.size() > MAX_STRATA) {
            throw new ConfigException("feed '" + feed + "': the strata columns have more than " + MAX_STRATA
                    + " combinations of values; use bins, or fewer columns");
        }
        return strata(groups, rows);
    }

    /** The name of the stratum of a line of {@link #counts}. */
    public static String stratumOf(Row line) {
        List<String> parts = parts(line);
        return parts.isEmpty() ? CountedStratum.ALL : String.join("/", parts);
    }

    private static List<String> parts(Row line) {
        return IntStream.range(0, line.size() - 2).mapToObj(line::getString).toList();
    }

    /** Unbinned rows of a column that drops such rows, or that no stage takes. */
    public static long dropped(BinCounts counts, List<CountedStratum> counted) {
        return counts.rows() - counted.stream().mapToLong(CountedStratum::rows).sum();
    }

    private List<CountedStratum> strata(Map<List<String>, Long> groups, Dataset<Row> rows) {
        refuseOutside(groups.keySet(), rows);
        List<CountedStratum> strata = new ArrayList<>();
        Map<String, List<String>> partsOf = new HashMap<>();
        groups.forEach((values, count) -> {
            if (values.contains(StrataPart.UNBINNED)) {
                return;
            }
            String name = String.join("/", values);
            List<String> other = partsOf.put(name, values);
            if (other != null) {
                throw new ConfigException("feed '" + feed + "': the values " + other + " and " + values
                        + " both make the stratum '" + name + "'; replace the '/' in them by the job's SQL");
            }
            strata.add(new CountedStratum(
                    name,
                    values.subList(0, parts.size()),
                    count,
                    stages.isPresent() ? StageConditions.stages(values.get(parts.size())) : Set.of()));
        });
        strata.sort(Comparator.comparing(CountedStratum::name));
        return strata;
    }

    /** Values that make no part of a stratum's name, and that the job does not drop. */
    private void refuseOutside(Set<List<String>> groups, Dataset<Row> rows) {
        ConfigErrors errors = new ConfigErrors();
        for (int i = 0; i < parts.size(); i++) {
            int at = i;
            StrataPart part = parts.get(i);
            if (groups.stream().anyMatch(group -> group.get(at).equals(StrataPart.NULL))) {
                errors.check(() -> refuseNull(part, rows));
            }
            if (part.column().onUnbinned() == OnUnbinned.ERROR
                    && groups.stream().anyMatch(group -> group.get(at).equals(StrataPart.UNBINNED))) {
                errors.check(() -> refuseUnbinned(part, rows));
            }
        }
        errors.throwIfAny();
    }

    private void refuseNull(StrataPart part, Dataset<Row> rows) {
        long nulls = rows.where(part.value().isNull()).count();
        throw new ConfigException("feed '" + feed + "': strata column '"
                + part.column().displayName() + "' has no value in " + Plural.counted(nulls, "row")
                + "; give them one with coalesce in the job's SQL, or filter them with where");
    }

    private void refuseUnbinned(StrataPart part, Dataset<Row> rows) {
        List<Row> values = rows.where(part.part().equalTo(StrataPart.UNBINNED))
                .groupBy(part.value().cast("string").as("value"))
                .count()
                .orderBy(col("count").desc(), col("value"))
                .limit(SHOWN_VALUES + 1)
                .collectAsList();
        String shown = values.stream()
                .limit(SHOWN_VALUES)
                .map(row -> row.getString(0) + " in " + Plural.counted(row.getLong(1), "row"))
                .collect(Collectors.joining(", "));
        throw new ConfigException(
                "feed '" + feed + "': values of strata column '" + part.column().displayName()
                        + "' are unbinned: " + shown + (values.size() > SHOWN_VALUES ? ", and more" : "")
                        + "; add or widen a bin, filter the rows with where, or set on-unbinned: drop or own");
    }
}
