package io.rankfeed.spark.sample;

import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a feed will be, for people.
 *
 * @param name of the feed
 * @param rowsInCache rows that its caches hold
 * @param steps of the whole run, the same on every rank
 * @param lines a heading and, for a train feed, a table of stages and strata in rows
 */
public record FeedReport(String name, long rowsInCache, long steps, List<String> lines) {
    private static final int SHOWN_STRATA = 12;

    public static FeedReport of(Feed feed) {
        if (feed instanceof TrainFeed train) {
            return ofTrain(train);
        }
        SequentialFeed sequential = (SequentialFeed) feed;
        return new FeedReport(
                feed.name(),
                sequential.rows(),
                sequential.steps(),
                List.of(feed.name() + ": " + sequential.rows() + " rows in order, " + sequential.steps() + " steps of "
                        + feed.batch() + ", world sizes " + worlds(feed.lanes())));
    }

    private static FeedReport ofTrain(TrainFeed feed) {
        long rows = feed.strata().stream().mapToLong(TrainFeed.Stratum::rows).sum();
        long available =
                feed.strata().stream().mapToLong(TrainFeed.Stratum::available).sum();
        List<String> lines = new ArrayList<>();
        lines.add(feed.name() + ": " + rows + " of " + available + " rows, " + feed.epochs() + " x "
                + feed.stepsPerEpoch() + " steps of " + feed.batch() + ", "
                + feed.mode().word() + ", world sizes "
                + worlds(feed.lanes()));
        List<List<String>> table = table(feed);
        int[] widths = new int[table.get(0).size()];
        table.forEach(line -> IntStream.range(0, widths.length)
                .forEach(i -> widths[i] = Math.max(widths[i], line.get(i).length())));
        table.forEach(line -> lines.add(IntStream.range(0, widths.length)
                .mapToObj(i -> " ".repeat(widths[i] - line.get(i).length()) + line.get(i))
                .collect(Collectors.joining("  ", "  ", ""))));
        if (feed.strata().size() > SHOWN_STRATA) {
            lines.add("  and " + (feed.strata().size() - SHOWN_STRATA) + " strata more");
        }
        return new FeedReport(feed.name(), rows, feed.epochs() * feed.stepsPerEpoch(), lines);
    }

    private static List<List<String>> table(TrainFeed feed) {
        int shown = Math.min(SHOWN_STRATA, feed.strata().size());
        List<List<String>> table = new ArrayList<>();
        table.add(line("steps", shown, s -> feed.strata().get(s).name()));
        for (TrainFeed.Segment segment : feed.segments()) {
            String steps = segment.step() + "-" + (segment.step() + segment.steps() - 1);
            table.add(line(steps, shown, s -> Long.toString(segment.quotas().get(s) * feed.lanes())));
        }
        table.add(line("pool", shown, s -> Long.toString(feed.strata().get(s).rows())));
        table.add(
                line("available", shown, s -> Long.toString(feed.strata().get(s).available())));
        return table;
    }

    private static List<String> line(String head, int shown, IntFunction<String> cell) {
        List<String> line = new ArrayList<>(List.of(head));
        IntStream.range(0, shown).mapToObj(cell).forEach(line::add);
        return line;
    }

    private static String worlds(int lanes) {
        return IntStream.rangeClosed(1, lanes)
                .filter(world -> lanes % world == 0)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
    }
}
