package io.rankfeed.report;

import io.rankfeed.sampling.simulate.Simulation;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.TrainFeed;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A planned run, simulated without its rows.
 *
 * @param feed the only one to simulate; otherwise every one that trains
 * @param path where the order comes from, for users
 * @param moreMemory words of the launcher that give this Java more memory
 */
public record PlannedRun(Order order, Optional<String> feed, String path, String moreMemory) {
    private static final long REPORT_NANOS = 2_000_000_000L;

    /**
     * @param err progress of long runs
     * @throws ConfigException if no feed has that name
     * @throws EnvironmentException if there is too little memory
     */
    public void describe(Report report, PrintWriter err) {
        List<TrainFeed> feeds = feeds();
        OrderReport.describe(
                report,
                feed.isEmpty()
                        ? order
                        : new Order(order.dataset(), order.plan(), order.storage(), List.<Feed>copyOf(feeds)));
        for (TrainFeed train : feeds) {
            Simulation simulation = simulated(train, err);
            SimulationReport.describe(report, train.name(), simulation);
            report.picture(train.name(), SimulationPicture.of(train.name(), train.steps(), simulation));
        }
        if (feed.isEmpty()) {
            order.feeds().stream()
                    .filter(one -> !(one instanceof TrainFeed))
                    .forEach(one -> report.note("feed " + one.name()
                            + " is sequential: every row once, in order; there is nothing in it to simulate"));
        }
        SimulationReport.GLOSSARY.forEach(report::note);
    }

    private List<TrainFeed> feeds() {
        List<TrainFeed> feeds = new ArrayList<>();
        for (Feed one : order.feeds()) {
            if (one instanceof TrainFeed train && (feed.isEmpty() || feed.get().equals(one.name()))) {
                feeds.add(train);
            }
        }
        if (feeds.isEmpty()) {
            List<String> names = order.feeds().stream().map(Feed::name).toList();
            throw new ConfigException(
                    feed.isEmpty()
                            ? path + " has no feed that trains; a sequential one gives every row once, in order"
                            : "--feed " + feed.get() + ": " + path + " has no training feed of that name"
                                    + Suggestion.hint(feed.get(), names));
        }
        return feeds;
    }

    private Simulation simulated(TrainFeed train, PrintWriter err) {
        long[] reported = {System.nanoTime()};
        try {
            long maxBytes = Runtime.getRuntime().maxMemory() / 10 * 8;
            if (Simulation.bytes(train) > maxBytes) {
                throw new EnvironmentException("simulating feed '" + train.name() + "' needs "
                        + (Simulation.bytes(train) >> 20) + " MiB of memory, this Java has " + (maxBytes >> 20)
                        + "; give it more: " + moreMemory);
            }
            return Simulation.of(train, step -> {
                if (System.nanoTime() - reported[0] > REPORT_NANOS) {
                    reported[0] = System.nanoTime();
                    err.println("rankfeed: simulate: " + train.name() + " step " + step + " of " + train.steps());
                    err.flush();
                }
            });
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(path, "feed '" + train.name() + "': " + e.getMessage());
        }
    }
}
