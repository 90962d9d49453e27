package io.rankfeed.report;

import io.rankfeed.sampling.mixture.PlannedMixture;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.mixture.FillValue;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reports a mixture: its order, its members, and the columns that they have in common. */
public final class MixtureReport {
    private MixtureReport() {}

    /** Adds the order of a mixture, its members and its columns. */
    public static void describe(Report report, Mixture mixture) {
        OrderReport.describe(report, mixture.order());
        Report.Table members =
                report.table("members", "name", "dataset", "version", "feed", "lanes", "strata", "pool", "drawn");
        List<Segment> segments = mixture.feed().segments();
        int first = 0;
        for (Member member : mixture.feed().members()) {
            int from = first;
            first += member.strata().size();
            int to = first;
            long units = segments.stream()
                    .flatMap(segment -> segment.quotas().subList(from, to).stream())
                    .mapToLong(quota -> quota)
                    .sum();
            Member.Source source = member.source().orElseThrow();
            members.add(
                    member.name(),
                    source.dataset(),
                    source.version(),
                    source.feed(),
                    (long) member.lanes(),
                    (long) member.strata().size(),
                    member.strata().stream().mapToLong(Stratum::rows).sum(),
                    units * mixture.feed().lanes());
        }
        Report.Table columns = report.table("columns", "name", "dtype", "shape", "nullable", "fill");
        for (Field field : mixture.columns().fields()) {
            columns.add(
                    field.name(),
                    field.dtype().id(),
                    field.shape().toString(),
                    field.nullable() ? "yes" : "no",
                    Optional.ofNullable(mixture.fill().get(field.name()))
                            .<Object>map(FillValue::values)
                            .orElse(Report.NONE));
        }
        if (mixture.feed().lanes() == 1) {
            report.answer("1 lane: only one rank can train on this mixture; export members whose lanes have a common"
                    + " divisor");
        }
    }

    /**
     * Adds the rows that a mixture takes of each member.
     *
     * @param weights of a member, stage after stage
     */
    public static void taken(Report report, PlannedMixture planned, Function<String, List<BigDecimal>> weights) {
        Report.Table taken = report.table("taken", "member", "weights", "rows", "taken", "repeats");
        for (PlannedMixture.Taken member : planned.taken()) {
            String words = weights.apply(member.member()).stream()
                    .map(BigDecimal::toPlainString)
                    .collect(Collectors.joining(", "));
            report.answer(String.format(
                    Locale.ROOT,
                    "%s: weight %s; %s of its %d, %s",
                    member.member(),
                    words,
                    Plural.counted(member.taken(), "row"),
                    member.rows(),
                    Plural.counted(member.repeated(), "repeat")));
            taken.add(member.member(), words, member.rows(), member.taken(), member.repeated());
        }
    }
}
