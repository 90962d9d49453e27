package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.OneOf;
import io.rankfeed.schema.config.Range;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A column, or an SQL expression of a row, that makes strata. Every value is a part of its own, or values are binned.
 *
 * @param column a prepared column; or
 * @param sql an expression over the prepared columns
 * @param name of the expression
 * @param bins inclusive ranges {@code [min, max]} by name, in the file's order; or
 * @param quantiles so many bins of as many rows each, as far as equal values allow, named q1, q2, …; or
 * @param quantileBins bins by name, ascending, with the shares of the rows that they are to have, in any scale
 */
@OneOf({"column", "sql"})
public record StrataColumn(
        Optional<String> column,
        Optional<String> sql,
        Optional<String> name,
        @Default("{}") Map<String, List<BigDecimal>> bins,
        @Range(min = 2, max = StrataColumn.MAX_QUANTILES) Optional<Integer> quantiles,
        Optional<Map<String, BigDecimal>> quantileBins,
        @Default("error") OnUnbinned onUnbinned) {
    /** The part of a stratum's name of rows with an unbinned value, where the job gives them one. */
    public static final String OWN = "unbinned";

    static final int MAX_QUANTILES = 64;

    /** The choice for a row with an unbinned value. */
    public enum OnUnbinned {
        ERROR,
        DROP,
        OWN
    }

    public StrataColumn {
        if (sql.isPresent() && name.filter(written -> !written.isBlank()).isEmpty()) {
            throw new BadValue("name", "is required with sql; name the expression");
        }
        if (column.isPresent() && name.isPresent()) {
            throw new BadValue("name", "is only for sql; a column has a name");
        }
        List<String> binned = Stream.of(
                        bins.isEmpty() ? "" : "bins",
                        quantiles.isPresent() ? "quantiles" : "",
                        quantileBins.isPresent() ? "quantile-bins" : "")
                .filter(key -> !key.isEmpty())
                .toList();
        if (binned.size() > 1) {
            throw new BadValue(binned.get(1), "excludes " + binned.get(0) + "; write one of them");
        }
        if (binned.isEmpty() && onUnbinned != OnUnbinned.ERROR) {
            throw new BadValue("on-unbinned", "is only for a column with bins; give bins, or leave it out");
        }
        quantileBins.ifPresent(StrataColumn::checkShares);
        checkRanges(bins);
        if (onUnbinned == OnUnbinned.OWN
                && (bins.containsKey(OWN)
                        || quantileBins.filter(q -> q.containsKey(OWN)).isPresent())) {
            throw new BadValue(
                    "on-unbinned", "own calls the unbinned rows '" + OWN + "', as a bin is called; rename the bin");
        }
    }

    /** A column whose values are parts of names as they are. */
    public static StrataColumn named(String column) {
        return new StrataColumn(
                Optional.of(column),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                OnUnbinned.ERROR);
    }

    /** The column's name, or the expression's. */
    public String displayName() {
        return column.or(() -> name).orElseThrow();
    }

    public boolean isBinned() {
        return !bins.isEmpty() || hasQuantiles();
    }

    public boolean hasQuantiles() {
        return quantiles.isPresent() || quantileBins.isPresent();
    }

    /** The shares of the quantile bins by name, ascending. */
    public Map<String, BigDecimal> quantileShares() {
        return quantileBins.orElseGet(() -> {
            Map<String, BigDecimal> equal = new LinkedHashMap<>();
            for (int q = 1; q <= quantiles.orElse(0); q++) {
                equal.put("q" + q, BigDecimal.ONE);
            }
            return equal;
        });
    }

    private static void checkShares(Map<String, BigDecimal> shares) {
        if (shares.size() < 2 || shares.size() > MAX_QUANTILES) {
            throw new BadValue("quantile-bins", "are " + shares.size() + "; must be 2 to " + MAX_QUANTILES);
        }
        shares.forEach((bin, share) -> {
            if (share.signum() <= 0) {
                throw new BadValue("quantile-bins", "the share of '" + bin + "' must be above 0");
            }
        });
    }

    private static void checkRanges(Map<String, List<BigDecimal>> bins) {
        bins.forEach((name, range) -> {
            if (range.size() != 2 || range.get(0).compareTo(range.get(1)) > 0) {
                throw new BadValue("bins", "'" + name + "' must be [min, max], both inclusive, as in [1, 3]");
            }
        });
        bins.forEach((name, range) -> bins.forEach((other, second) -> {
            boolean apart =
                    range.get(1).compareTo(second.get(0)) < 0 || second.get(1).compareTo(range.get(0)) < 0;
            if (!apart && !name.equals(other)) {
                throw new BadValue("bins", "'" + name + "' and '" + other + "' overlap");
            }
        }));
    }
}
