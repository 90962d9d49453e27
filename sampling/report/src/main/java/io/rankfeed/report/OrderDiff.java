package io.rankfeed.report;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Compares two orders: numbers, stages, shares, and the rows that each stage takes of each stratum. It reads no row. */
public final class OrderDiff {
    static final String NUMBER = "number";
    private static final double DIGITS = 1e4;

    private OrderDiff() {}

    /**
     * Adds what differs in a feed as answers, and everything that was compared as tables.
     *
     * @param before the feed in one order; empty if that has no feed of this name
     */
    public static void describe(Report report, String name, Optional<Feed> before, Optional<Feed> after) {
        if (before.isEmpty() || after.isEmpty()) {
            report.answer("feed " + name + ": " + (before.isEmpty() ? "added" : "removed"));
            return;
        }
        String of = " of " + name;
        String where = "feed " + name + ", ";
        compare(report, "numbers" + of, List.of(NUMBER), numbers(before.get()), numbers(after.get()))
                .forEach(line -> report.answer(where + line));
        if (!(before.get() instanceof TrainFeed was) || !(after.get() instanceof TrainFeed is)) {
            return;
        }
        compare(report, "stages" + of, List.of("stage"), stages(was), stages(is))
                .forEach(line -> report.answer(where + line));
        List<String> stratum = List.of("stage", "stratum");
        compare(report, "shares" + of, stratum, shares(taken(was), Taken::stratum), shares(taken(is), Taken::stratum))
                .forEach(line -> report.answer(where + "share in " + line));
        int strata =
                compare(report, "rows" + of, stratum, strata(was), strata(is)).size();
        if (strata > 0) {
            report.answer(where + "numbers of rows differ in " + Plural.counted(strata, "stratum", "strata")
                    + ", counted for each stage");
        }
    }

    /**
     * Adds a table of values by key; returns a line for each key whose values differ.
     *
     * @param columns what a key is made of
     */
    static List<String> compare(
            Report report,
            String title,
            List<String> columns,
            Map<List<Object>, Object> before,
            Map<List<Object>, Object> after) {
        Set<List<Object>> keys = new LinkedHashSet<>(before.keySet());
        keys.addAll(after.keySet());
        Report.Table table = report.table(
                title,
                Stream.concat(columns.stream(), Stream.of("before", "after")).toArray(String[]::new));
        List<String> lines = new ArrayList<>();
        for (List<Object> key : keys) {
            Object was = before.getOrDefault(key, Report.NONE);
            Object is = after.getOrDefault(key, Report.NONE);
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

    static Map<List<Object>, Object> numbers(Feed feed) {
        Map<List<Object>, Object> numbers = new LinkedHashMap<>();
        if (feed instanceof TrainFeed train) {
            numbers.put(List.of("seed"), train.seed());
            numbers.put(List.of("mode"), train.mode().word());
            numbers.put(List.of("order"), train.order().word());
            numbers.put(List.of("window"), (long) train.window());
        }
        numbers.put(List.of("lanes"), (long) feed.lanes());
        numbers.put(List.of("batch"), (long) feed.batch());
        if (feed instanceof TrainFeed train) {
            numbers.put(List.of("epochs"), (long) train.epochs());
            numbers.put(List.of("steps per epoch"), train.stepsPerPass());
            numbers.put(List.of("steps"), train.steps());
            numbers.put(
                    List.of("rows"),
                    train.segments().stream().mapToLong(train::rows).sum());
        } else if (feed instanceof SequentialFeed list) {
            numbers.put(List.of("steps"), list.steps());
            numbers.put(List.of("rows"), list.rows());
        }
        return numbers;
    }

    /** The steps of each stage. */
    static Map<List<Object>, Object> stages(TrainFeed feed) {
        Map<Long, Long> starts = new LinkedHashMap<>();
        Map<List<Object>, Object> stages = new LinkedHashMap<>();
        for (Segment segment : feed.segments()) {
            long first = starts.computeIfAbsent(segment.stage(), stage -> segment.step());
            stages.put(List.of(segment.stage()), "steps " + first + " to " + (segment.end() - 1));
        }
        return stages;
    }

    /** The rows that a stage takes of a stratum. */
    record Taken(long stage, String member, String stratum, long rows) {}

    static List<Taken> taken(TrainFeed feed) {
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

    static <K> Map<K, Long> sums(List<Taken> taken, Function<Taken, K> key) {
        return taken.stream()
                .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.summingLong(Taken::rows)));
    }

    /** The share of each member or stratum in the rows of a stage. */
    static Map<List<Object>, Object> shares(List<Taken> taken, Function<Taken, String> of) {
        Map<Long, Long> all = sums(taken, Taken::stage);
        Map<List<Object>, Object> shares = new LinkedHashMap<>();
        sums(taken, one -> List.<Object>of(one.stage(), of.apply(one))).forEach((key, rows) -> {
            long ofStage = Objects.requireNonNull(all.get(key.get(0)));
            shares.put(key, Math.round(DIGITS * rows / ofStage) / DIGITS);
        });
        return shares;
    }

    private static Map<List<Object>, Object> strata(TrainFeed feed) {
        return new LinkedHashMap<>(sums(taken(feed), one -> List.<Object>of(one.stage(), one.stratum())));
    }
}
