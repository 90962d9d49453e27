package io.rankfeed.report;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.mixture.FillValue;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Compares two mixtures: their numbers, members, stages, shares and columns, and the rows that they take of each stratum. */
public final class MixtureDiff {
    private static final double DIGITS = 1e4;
    private static final String NUMBER = "number";

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
        compare("numbers", List.of(NUMBER), MixtureDiff::numbers).forEach(report::answer);
        compare("stages", List.of("stage"), MixtureDiff::stages).forEach(report::answer);
        compare("shares", List.of("stage", "member"), mixture -> shares(taken(mixture)))
                .forEach(line -> report.answer("share in " + line));
        compare("columns", List.of("column"), MixtureDiff::columns).forEach(report::answer);
        int strata = compare("rows", List.of("stage", "member", "stratum"), MixtureDiff::strata)
                .size();
        if (strata > 0) {
            report.answer("other rows: " + Plural.counted(strata, "stratum", "strata") + " of a member in a stage");
        }
    }

    /**
     * Adds a table of values by key; returns a line for each key whose values differ.
     *
     * @param columns what a key is made of
     */
    private List<String> compare(
            String title, List<String> columns, Function<Mixture, Map<List<Object>, Object>> values) {
        Map<List<Object>, Object> old = values.apply(before);
        Map<List<Object>, Object> now = values.apply(after);
        Set<List<Object>> keys = new LinkedHashSet<>(old.keySet());
        keys.addAll(now.keySet());
        Report.Table table = report.table(
                title,
                Stream.concat(columns.stream(), Stream.of("before", "after")).toArray(String[]::new));
        List<String> lines = new ArrayList<>();
        for (List<Object> key : keys) {
            Object was = old.getOrDefault(key, Report.NONE);
            Object is = now.getOrDefault(key, Report.NONE);
            table.add(Stream.concat(key.stream(), Stream.of(was, is)).toList());
            String name = IntStream.range(0, columns.size())
                    .mapToObj(i -> (columns.get(i).equals(NUMBER) ? "" : columns.get(i) + " ") + key.get(i))
                    .collect(Collectors.joining(", "));
            if (was.equals(Report.NONE)) {
                lines.add(name + ": added, " + is);
            } else if (is.equals(Report.NONE)) {
                lines.add(name + ": removed, " + was);
            } else if (!was.equals(is)) {
                lines.add(name + ": " + was + " before, " + is + " after");
            }
        }
        return lines;
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
        TrainFeed feed = mixture.feed();
        Map<List<Object>, Object> numbers = new LinkedHashMap<>();
        numbers.put(List.of("feed"), feed.name());
        numbers.put(List.of("seed"), feed.seed());
        numbers.put(List.of("lanes"), (long) feed.lanes());
        numbers.put(List.of("batch"), (long) feed.batch());
        numbers.put(List.of("epochs"), (long) feed.epochs());
        numbers.put(List.of("steps per epoch"), feed.stepsPerPass());
        numbers.put(List.of("steps"), feed.steps());
        numbers.put(
                List.of("rows"), feed.segments().stream().mapToLong(feed::rows).sum());
        return numbers;
    }

    /** The steps of each stage. */
    private static Map<List<Object>, Object> stages(Mixture mixture) {
        Map<Long, Long> starts = new LinkedHashMap<>();
        Map<List<Object>, Object> stages = new LinkedHashMap<>();
        for (Segment segment : mixture.feed().segments()) {
            long first = starts.computeIfAbsent(segment.stage(), stage -> segment.step());
            stages.put(List.of(segment.stage()), "steps " + first + " to " + (segment.end() - 1));
        }
        return stages;
    }

    /** The rows that a stage takes of a stratum. */
    private record Taken(long stage, String member, String stratum, long rows) {}

    private static List<Taken> taken(Mixture mixture) {
        TrainFeed feed = mixture.feed();
        List<Taken> taken = new ArrayList<>();
        for (Segment segment : feed.segments()) {
            int s = 0;
            for (Member member : feed.members()) {
                for (Stratum stratum : member.strata()) {
                    long rows = segment.quotas().get(s) * feed.lanes();
                    taken.add(new Taken(segment.stage(), member.name(), stratum.name(), rows));
                    s++;
                }
            }
        }
        return taken;
    }

    private static <K> Map<K, Long> sums(List<Taken> taken, Function<Taken, K> key) {
        return taken.stream()
                .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.summingLong(Taken::rows)));
    }

    /** The share of each member in the rows of a stage. */
    private static Map<List<Object>, Object> shares(List<Taken> taken) {
        Map<Long, Long> all = sums(taken, Taken::stage);
        Map<List<Object>, Object> shares = new LinkedHashMap<>();
        all.forEach((stage, of) -> {
            List<Taken> ofStage =
                    taken.stream().filter(one -> one.stage() == stage).toList();
            sums(ofStage, Taken::member)
                    .forEach((member, rows) ->
                            shares.put(List.of(stage, member), Math.round(DIGITS * rows / of) / DIGITS));
        });
        return shares;
    }

    private static Map<List<Object>, Object> strata(Mixture mixture) {
        return new LinkedHashMap<>(
                sums(taken(mixture), one -> List.<Object>of(one.stage(), one.member(), one.stratum())));
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
