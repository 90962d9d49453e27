package io.rankfeed.report;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.mixture.FillValue;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.order.Member;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Compares two mixtures: their numbers, members, stages, shares and columns, and the rows that they take of each stratum. */
public final class MixtureDiff {
    private final Report report;
    private final Mixture before;
    private final Mixture after;

    private MixtureDiff(Report report, Mixture before, Mixture after) {
        this.report = report;
        this.before = before;
        this.after = after;
    }

    /** Adds what differs as answers, and everything that was compared as tables. */
    public static void describe(Report report, Mixture before, Mixture after) {
        new MixtureDiff(report, before, after).describe();
    }

    private void describe() {
        if (before.id().equals(after.id())) {
            report.answer("the same mixture: " + after.id());
        }
        compare("members", List.of("member"), MixtureDiff::members).forEach(report::answer);
        compare("numbers", List.of(OrderDiff.NUMBER), MixtureDiff::numbers).forEach(report::answer);
        compare("stages", List.of("stage"), mixture -> OrderDiff.stages(mixture.feed()))
                .forEach(report::answer);
        compare("shares", List.of("stage", "member"), MixtureDiff::shares)
                .forEach(line -> report.answer("share in " + line));
        compare("columns", List.of("column"), MixtureDiff::columns).forEach(report::answer);
        int strata = compare("rows", List.of("stage", "member", "stratum"), MixtureDiff::strata)
                .size();
        if (strata > 0) {
            report.answer("numbers of rows differ in " + Plural.counted(strata, "stratum", "strata")
                    + ", counted for each stage and member");
        }
    }

    private List<String> compare(
            String title, List<String> columns, Function<Mixture, Map<List<Object>, Object>> values) {
        return OrderDiff.compare(report, title, columns, values.apply(before), values.apply(after));
    }

    private static Map<List<Object>, Object> members(Mixture mixture) {
        Map<List<Object>, Object> members = new LinkedHashMap<>();
        for (Member member : mixture.feed().members()) {
            Member.Source source = member.source().orElseThrow();
            members.put(
                    List.of(member.name()),
                    "version " + source.version() + " of dataset " + source.dataset() + ", feed " + source.feed()
                            + ", cycles " + member.cycles().word());
        }
        return members;
    }

    private static Map<List<Object>, Object> numbers(Mixture mixture) {
        Map<List<Object>, Object> numbers = new LinkedHashMap<>();
        numbers.put(List.of("feed"), mixture.feed().name());
        numbers.putAll(OrderDiff.numbers(mixture.feed()));
        return numbers;
    }

    private static Map<List<Object>, Object> shares(Mixture mixture) {
        return OrderDiff.shares(OrderDiff.taken(mixture.feed()), OrderDiff.Taken::member);
    }

    private static Map<List<Object>, Object> strata(Mixture mixture) {
        return new LinkedHashMap<>(OrderDiff.sums(
                OrderDiff.taken(mixture.feed()), one -> List.<Object>of(one.stage(), one.member(), one.stratum())));
    }

    private static Map<List<Object>, Object> columns(Mixture mixture) {
        Map<List<Object>, Object> columns = new LinkedHashMap<>();
        for (Field field : mixture.columns().fields()) {
            String fill = Optional.ofNullable(mixture.fill().get(field.name()))
                    .map(FillValue::values)
                    .map(values -> ", fill " + Report.listed(values))
                    .orElse("");
            columns.put(
                    List.of(field.name()),
                    field.dtype().id() + " " + field.shape() + (field.nullable() ? ", nullable" : "") + fill);
        }
        return columns;
    }
}
