package io.rankfeed.feeder.governor;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.LogEvent;
import io.rankfeed.console.LogLevel;
import io.rankfeed.feeder.pool.GatherPool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is done and logged, with a simulated clock. */
class GovernorTest {
    private final Trace slow = Trace.synthetic().getFirst();
    private final Trace trainer = Trace.synthetic().get(3);
    private final GatherPool pool = new GatherPool(2);
    private final List<Integer> readAheads = new ArrayList<>();
    private final List<LogEvent> events = new ArrayList<>();

    @AfterEach
    void endThreads() {
        pool.close();
    }

    private Governor governor(Trace trace) {
        return new Governor(
                new Tuning(2, SimulatedFeed.MAX_READ_AHEAD),
                SimulatedFeed.bounds(trace),
                trace.processors(),
                pool,
                readAheads::add,
                events::add);
    }

    /** Runs for a number of seconds, in each of which the governor looks once. */
    private void run(SimulatedFeed feed, Governor governor, int seconds) throws InterruptedException {
        Tuning tuning = new Tuning(pool.threads(), SimulatedFeed.MAX_READ_AHEAD);
        for (int second = 0; second < seconds; second++) {
            long begun = feed.moment().nanos();
            while (feed.moment().nanos() - begun < 1_000_000_000L) {
                feed.run(1, tuning);
            }
            governor.look(feed.moment());
        }
    }

    @Test
    void workers_ofASlowFeed_growWithALineForEachDecision() throws InterruptedException {
        // A batch takes 69 ms: 20 that are not measured and a window of 45 are 6 s at most.
        run(new SimulatedFeed(slow, 0, 1), governor(slow), 6);
        assertThat(pool.threads()).isEqualTo(4);
        assertThat(events).hasSize(1);
        LogEvent line = events.getFirst();
        assertThat(line.level()).isEqualTo(LogLevel.INFO);
        assertThat(line.message())
                .startsWith("train: workers 4 instead of 2: data wait 9")
                .endsWith(", bottleneck decode");
        assertThat(line.fields())
                .containsEntry("feed", "train")
                .containsEntry("workers", 4L)
                .containsEntry("read_ahead", 8L)
                .hasEntrySatisfying(
                        "reason", reason -> assertThat(line.message()).endsWith(": " + reason));
    }

    @Test
    void readAhead_ofASlowTrainer_isLowered() throws InterruptedException {
        Governor governor = governor(trainer);
        run(new SimulatedFeed(trainer, 0, 1), governor, 90);
        assertThat(pool.threads()).isZero();
        assertThat(readAheads).last().isEqualTo(1);
        assertThat(events).extracting(LogEvent::message).anySatisfy(line -> assertThat(line)
                .startsWith("train: read-ahead 1 instead of 8: data wait < 1 %"));
    }

    @Test
    void window_inWhichATrainerCame_isNotMeasured() throws InterruptedException {
        Governor governor = governor(slow);
        SimulatedFeed feed = new SimulatedFeed(slow, 0, 1);
        for (int connection = 1; connection < 20; connection++) {
            feed.run(45, new Tuning(2, 8));
            Moment now = feed.moment();
            governor.look(new Moment("train", now.nanos(), 1, connection, now.rows(), now.batches(), now.times()));
        }
        assertThat(events).isEmpty();
        run(feed, governor, 1);
        assertThat(events).as("the first of the last trainer's connection").isEmpty();
        run(feed, governor, 4);
        assertThat(events).hasSize(1);
    }

    @Test
    void window_isAtLeastTwoSeconds() throws InterruptedException {
        Trace fast = new Trace("fast", "decode", 16, (workers, batch) -> 0.001, 0.0001);
        Governor governor = governor(fast);
        SimulatedFeed feed = new SimulatedFeed(fast, 0, 1);
        run(feed, governor, 2);
        assertThat(events).isEmpty();
        run(feed, governor, 2);
        assertThat(events).hasSize(1);
    }
}
