package io.rankfeed.report;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.manifest.FeedDecisions.Edge;
import io.rankfeed.schema.manifest.FeedDecisions.Shortage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Describes, for users, the decisions that the planner made after it had counted the rows. */
public final class DecisionLines {
    private static final int SHOWN = 12;

    private DecisionLines() {}

    public static List<String> of(FeedDecisions decisions) {
        return lines(decisions, DecisionLines::line);
    }

    /** Describes a feed that is refused: the rows that it lacks, computed as if rows had been repeated. */
    public static List<String> ofRefused(FeedDecisions decisions) {
        return lines(decisions, DecisionLines::lack);
    }

    private static List<String> lines(FeedDecisions decisions, Function<Shortage, String> reported) {
        List<String> lines = new ArrayList<>();
        Map<String, List<String>> edges = new LinkedHashMap<>();
        for (Edge edge : decisions.edges()) {
            edges.computeIfAbsent(edge.column(), column -> new ArrayList<>())
                    .add(edge.bin() + " up to " + edge.atMost());
        }
        edges.forEach((column, bins) -> lines.add("  quantiles of " + column + ": " + String.join(", ", bins)));
        for (Shortage shortage : decisions.shortages().stream().limit(SHOWN).toList()) {
            lines.add(reported.apply(shortage));
        }
        if (decisions.shortages().size() > SHOWN) {
            lines.add("  and "
                    + Plural.counted(
                            decisions.shortages().size() - SHOWN,
                            "more shortage or transfer",
                            "more shortages or transfers")
                    + " (all are in the plan's manifest)");
        }
        if (!decisions.rest().isEmpty()) {
            lines.add(
                    rare(decisions.rest(), Function.identity(), "stratum is", "strata are", "drawn together as rest"));
        }
        if (!decisions.leftOut().isEmpty()) {
            lines.add(rare(
                    decisions.leftOut(),
                    one -> "'" + one.stratum() + "' of stage " + one.stage(),
                    "stratum of a stage gets",
                    "strata of stages get",
                    "no row"));
        }
        return lines;
    }

    private static <T> String rare(List<T> all, Function<T, String> reported, String one, String more, String what) {
        return "  " + Plural.counted(all.size(), "rare " + one, "rare " + more) + " " + what + ": "
                + all.stream().limit(SHOWN).map(reported).collect(Collectors.joining(", "))
                + (all.size() > SHOWN ? ", … (all are in the plan's manifest)" : "");
    }

    private static String lack(Shortage shortage) {
        return String.format(
                Locale.ROOT,
                "  stage %d, stratum '%s': %s wanted, %,d available, %,d too few",
                shortage.stage(),
                shortage.stratum(),
                Plural.counted(shortage.wanted(), "row"),
                shortage.available(),
                shortage.repeated());
    }

    private static String line(Shortage shortage) {
        long moved = shortage.taken() - shortage.wanted();
        return String.format(
                Locale.ROOT,
                "  stage %d, stratum '%s': %s wanted, %,d available, %,d taken%s",
                shortage.stage(),
                shortage.stratum(),
                Plural.counted(shortage.wanted(), "row"),
                shortage.available(),
                shortage.taken(),
                shortage.repeated() > 0
                        ? String.format(Locale.ROOT, ", %,d repeats per epoch", shortage.repeated())
                        : moved < 0
                                ? String.format(Locale.ROOT, ", %,d left to other strata", -moved)
                                : String.format(Locale.ROOT, ", %,d instead of other strata", moved));
    }
}
