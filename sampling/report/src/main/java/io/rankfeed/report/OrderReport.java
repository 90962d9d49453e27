package io.rankfeed.report;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Reports an order: feeds, strata by stage, and rows per rank for every world size. */
public final class OrderReport {
    private OrderReport() {}

    public static void describe(Report report, Order order) {
        report.fact("plan", order.plan());
        Report.Table feeds = report.table(
                "feeds",
                "name",
                "kind",
                "mode",
                "order",
                "seed",
                "lanes",
                "batch",
                "epochs",
                "stepsPerEpoch",
                "steps",
                "rows");
        Report.Table ranks = report.table("rowsPerRank", "feed", "world", "steps", "batch", "least", "most");
        for (Feed feed : order.feeds()) {
            if (feed instanceof TrainFeed train) {
                long pool = train.strata().stream().mapToLong(Stratum::rows).sum();
                long steps = train.steps();
                report.answer(String.format(
                        Locale.ROOT,
                        "%s: %s of %s, %s; %s; %s in %s",
                        feed.name(),
                        Plural.counted(steps, "step"),
                        Plural.counted(feed.batch(), "row"),
                        Plural.counted(train.epochs(), "epoch"),
                        Plural.counted(feed.lanes(), "lane"),
                        Plural.counted(pool, "row"),
                        Plural.counted(train.strata().size(), "stratum", "strata")));
                feeds.add(
                        feed.name(),
                        "train",
                        train.mode().word(),
                        train.order().word(),
                        train.seed(),
                        (long) feed.lanes(),
                        (long) feed.batch(),
                        train.epochs(),
                        train.stepsPerEpoch(),
                        steps,
                        pool);
                long drawn = train.segments().stream().mapToLong(train::rows).sum();
                worlds(feed)
                        .forEach(world -> ranks.add(
                                feed.name(),
                                (long) world,
                                steps,
                                (long) feed.batch() / world,
                                drawn / world,
                                drawn / world));
                stages(report, train);
            } else if (feed instanceof SequentialFeed sequential) {
                report.answer(String.format(
                        Locale.ROOT,
                        "%s: %s of %s, each of %s once; %s",
                        feed.name(),
                        Plural.counted(sequential.steps(), "step"),
                        Plural.counted(feed.batch(), "row"),
                        Plural.counted(sequential.rows(), "row"),
                        Plural.counted(feed.lanes(), "lane")));
                feeds.add(
                        feed.name(),
                        "sequential",
                        Report.NONE,
                        Report.NONE,
                        Report.NONE,
                        (long) feed.lanes(),
                        (long) feed.batch(),
                        1L,
                        sequential.steps(),
                        sequential.steps(),
                        sequential.rows());
                worlds(feed)
                        .forEach(world -> ranks.add(
                                feed.name(),
                                (long) world,
                                sequential.steps(),
                                (long) feed.batch() / world,
                                sequential.rows() / world,
                                (sequential.rows() + world - 1) / world));
            }
        }
    }

    /** Adds the decisions that the planner made after it had counted the rows. */
    public static void decisions(Report report, Map<String, FeedDecisions> decisions) {
        decisions.forEach((feed, decided) -> {
            if (!decided.edges().isEmpty()) {
                Report.Table edges = report.table("quantiles of " + feed, "column", "bin", "atMost");
                decided.edges().forEach(edge -> edges.add(edge.column(), edge.bin(), edge.atMost()));
            }
            if (!decided.shortages().isEmpty()) {
                List<String> strata = decided.shortages().stream()
                        .map(FeedDecisions.Shortage::stratum)
                        .distinct()
                        .map(stratum -> "'" + stratum + "'")
                        .toList();
                report.answer(String.format(
                        Locale.ROOT,
                        "%s: fewer rows than wanted in %s %s",
                        feed,
                        strata.size() == 1 ? "stratum" : "strata",
                        Report.listed(strata)));
                Report.Table shortages = report.table(
                        "shortages of " + feed,
                        "stage",
                        "stratum",
                        "wanted",
                        "available",
                        "taken",
                        "repeated",
                        "moved");
                decided.shortages()
                        .forEach(shortage -> shortages.add(
                                shortage.stage(),
                                shortage.stratum(),
                                shortage.wanted(),
                                shortage.available(),
                                shortage.taken(),
                                shortage.repeated(),
                                shortage.taken() - shortage.wanted()));
            }
            if (!decided.rest().isEmpty()) {
                Report.Table rest = report.table("rest of " + feed, "stratum");
                decided.rest().forEach(rest::add);
            }
            if (!decided.leftOut().isEmpty()) {
                List<String> strata = decided.leftOut().stream()
                        .map(FeedDecisions.Left::stratum)
                        .distinct()
                        .toList();
                report.answer(String.format(Locale.ROOT, "%s: left out %s", feed, Report.listed(strata)));
                Report.Table left = report.table("left out of " + feed, "stage", "stratum");
                decided.leftOut().forEach(one -> left.add(one.stage(), one.stratum()));
            }
        });
    }

    /** Rows that the run draws, per stratum and segment: a stage, or the part of a stage that is in an epoch. */
    private static void stages(Report report, TrainFeed feed) {
        List<Segment> segments = feed.segments();
        Report.Table stages =
                report.table("stages of " + feed.name(), "stage", "segment", "firstStep", "lastStep", "rows");
        List<String> columns = new ArrayList<>(List.of("stratum", "available", "pool"));
        for (Segment segment : segments) {
            boolean whole = segments.stream()
                            .filter(other -> other.stage() == segment.stage())
                            .count()
                    == 1;
            stages.add(
                    segment.stage(),
                    segment.number(),
                    segment.step(),
                    segment.step() + segment.steps() - 1,
                    feed.rows(segment));
            columns.add("stage" + segment.stage() + (whole ? "" : "/" + segment.number()));
        }
        Report.Table strata =
                report.table("strata of " + feed.name(), new Report.Table(columns, columns.size(), new ArrayList<>()));
        List<Integer> order = IntStream.range(0, feed.strata().size())
                .boxed()
                .sorted((a, b) -> StrataNames.FOR_PEOPLE.compare(
                        feed.strata().get(a).name(), feed.strata().get(b).name()))
                .toList();
        for (int s : order) {
            Stratum stratum = feed.strata().get(s);
            List<Object> line = new ArrayList<>(List.of(stratum.name(), stratum.available(), stratum.rows()));
            for (Segment segment : segments) {
                line.add(segment.quotas().get(s) * feed.lanes());
            }
            strata.add(line);
        }
    }

    private static List<Integer> worlds(Feed feed) {
        return IntStream.rangeClosed(1, feed.lanes())
                .filter(world -> feed.lanes() % world == 0)
                .boxed()
                .toList();
    }
}
