package io.rankfeed.spark.sample;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.report.StrataNames;
import io.rankfeed.report.TextTable;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.sample.select.FeedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Describes a planned feed for users.
 *
 * @param feed its numbers
 * @param lines a heading and, for a train feed, a table of strata in rows: what each stage and the whole run draw, how
 *     many are in the pool, how many there are
 */
public record FeedReport(Feed feed, List<String> lines) {
    private static final int SHOWN_STRATA = 12;
    private static final int SHOWN_SEGMENTS = 12;

    /**
     * @param decided what was decided to come to its numbers, in lines
     * @param counted the strata that occur
     * @param dropped rows that are unbinned, or that no stage takes
     */
    static FeedReport of(
            Feed feed, List<String> decided, FeedSection section, List<CountedStratum> counted, long dropped) {
        List<String> lines = new ArrayList<>();
        if (feed instanceof TrainFeed train) {
            lines.add(heading(train));
            if (dropped > 0) {
                lines.add("  "
                        + Plural.counted(
                                dropped,
                                "row dropped: unbinned, or selected by no stage",
                                "rows dropped: unbinned, or selected by no stage"));
            }
            long left = section.rowsAsked().orElse(available(train)) - train.stepsPerPass() * train.batch();
            if (left > 0) {
                lines.add(String.format(
                        Locale.ROOT,
                        "  %s dropped per epoch (incomplete batch of %,d)",
                        Plural.counted(left, "row"),
                        train.batch()));
            } else if (left < 0) {
                lines.add(String.format(
                        Locale.ROOT,
                        "  %s repeated per epoch, to fill the last batch of %,d",
                        Plural.counted(-left, "row"),
                        train.batch()));
            }
            lines.addAll(TextTable.lines(table(train)));
            if (train.strata().size() > SHOWN_STRATA) {
                int more = train.strata().size() - SHOWN_STRATA;
                lines.add("  and " + Plural.counted(more, "stratum", "strata") + " more");
            }
            if (train.segments().size() > SHOWN_SEGMENTS) {
                int more = train.segments().size() - SHOWN_SEGMENTS;
                lines.add("  and " + Plural.counted(more, "stretch", "stretches") + " of steps more");
            }
            lines.addAll(decided);
            for (int i = 0; i < section.strata().size() && section.strata().size() > 1; i++) {
                lines.addAll(TextTable.lines(
                        byValue(train, section.strata().get(i).displayName(), ValueOf.strata(train, counted, i))));
            }
        } else {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s: %s in order, %s of %s, world sizes %s",
                    feed.name(),
                    Plural.counted(rows(feed), "row"),
                    Plural.counted(steps(feed), "step"),
                    Plural.counted(feed.batch(), "row"),
                    worlds(feed)));
        }
        return new FeedReport(feed, lines);
    }

    /** Rows that its caches hold. */
    public long rowsInCache() {
        return rows(feed);
    }

    /** Steps of the whole run, the same on every rank. */
    public long steps() {
        return steps(feed);
    }

    private static long rows(Feed feed) {
        return FeedRows.of(feed).total();
    }

    private static long steps(Feed feed) {
        return feed instanceof TrainFeed train ? train.steps() : ((SequentialFeed) feed).steps();
    }

    private static String heading(TrainFeed feed) {
        return String.format(
                Locale.ROOT,
                "%s: %,d of %s, %,d x %s of %s, %s, world sizes %s",
                feed.name(),
                rows(feed),
                Plural.counted(available(feed), "row"),
                feed.epochs(),
                Plural.counted(feed.stepsPerPass(), "step"),
                Plural.counted(feed.batch(), "row"),
                feed.mode().word(),
                worlds(feed));
    }

    private static long available(TrainFeed feed) {
        return feed.strata().stream().mapToLong(Stratum::available).sum();
    }

    private static List<List<String>> table(TrainFeed feed) {
        int shown = Math.min(SHOWN_STRATA, feed.strata().size());
        List<List<String>> table = new ArrayList<>();
        int[] order = IntStream.range(0, feed.strata().size())
                .boxed()
                .sorted((a, b) -> StrataNames.FOR_PEOPLE.compare(
                        feed.strata().get(a).name(), feed.strata().get(b).name()))
                .mapToInt(s -> s)
                .toArray();
        table.add(line("", shown, i -> feed.strata().get(order[i]).name()));
        List<Segment> segments = feed.segments();
        for (Segment segment : segments.subList(0, Math.min(SHOWN_SEGMENTS, segments.size()))) {
            table.add(line(steps(segment), shown, i -> number(segment.quotas().get(order[i]) * feed.lanes())));
        }
        table.add(line(
                "in the cache", shown, i -> number(feed.strata().get(order[i]).rows())));
        table.add(
                line("available", shown, i -> number(feed.strata().get(order[i]).available())));
        return table;
    }

    /** Returns the shares of the values of a column in each stretch of steps, over all strata that have the value. */
    private static List<List<String>> byValue(TrainFeed feed, String column, ValueOf valueOf) {
        List<String> values = valueOf.values();
        int shown = Math.min(SHOWN_STRATA, values.size());
        List<List<String>> table = new ArrayList<>();
        table.add(line("by " + column, shown, values::get));
        for (Segment segment : feed.segments()
                .subList(0, Math.min(SHOWN_SEGMENTS, feed.segments().size()))) {
            table.add(line(
                    steps(segment),
                    shown,
                    v -> number(valueOf.sum(values.get(v), s -> segment.quotas().get(s) * feed.lanes()))));
        }
        return table;
    }

    /** The value of one column that each stratum has. */
    private record ValueOf(List<String> ofStratum) {
        static ValueOf strata(TrainFeed feed, List<CountedStratum> counted, int column) {
            Map<String, String> byName = counted.stream()
                    .collect(Collectors.toMap(
                            CountedStratum::name, stratum -> stratum.parts().get(column)));
            return new ValueOf(feed.strata().stream()
                    .map(stratum -> byName.getOrDefault(stratum.name(), stratum.name()))
                    .toList());
        }

        List<String> values() {
            return ofStratum.stream().distinct().sorted(StrataNames.FOR_PEOPLE).toList();
        }

        long sum(String value, IntToLongFunction rows) {
            return IntStream.range(0, ofStratum.size())
                    .filter(s -> ofStratum.get(s).equals(value))
                    .mapToLong(rows)
                    .sum();
        }
    }

    private static String steps(Segment segment) {
        return "drawn, steps " + segment.step() + "-" + (segment.step() + segment.steps() - 1);
    }

    private static String number(long rows) {
        return String.format(Locale.ROOT, "%,d", rows);
    }

    private static List<String> line(String head, int shown, IntFunction<String> cell) {
        List<String> line = new ArrayList<>(List.of(head));
        IntStream.range(0, shown).mapToObj(cell).forEach(line::add);
        return line;
    }

    private static String worlds(Feed feed) {
        return worldSizes(feed).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    /** The world sizes that can train on it. */
    public static IntStream worldSizes(Feed feed) {
        return IntStream.rangeClosed(1, feed.lanes()).filter(world -> feed.lanes() % world == 0);
    }
}
