package io.rankfeed.feeder.governor;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.diagnose.FeedDiagnosis;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The policy on traces, with a simulated clock: how soon it finds good settings, and whether it keeps them. */
class GovernorPolicyTest {
    private static final int FIRST = 20;
    private static final int CONVERGED = 200;
    private static final int THOUSAND = 1_000;
    private static final int SEEDS = 20;

    private static Stream<Trace> traces() throws IOException {
        return Stream.concat(Trace.synthetic().stream(), Trace.recorded().stream());
    }

    /** A governed feed: the windows of a run, as the feeder would measure them. */
    private static final class Governed {
        private final SimulatedFeed feed;
        private final Limits bounds;
        private GovernorState state;
        private int batches;
        private final List<Integer> decidedAt = new ArrayList<>();
        private final List<String> reasons = new ArrayList<>();

        Governed(Trace trace, double noise, long seed, Tuning start) {
            feed = new SimulatedFeed(trace, noise, seed);
            bounds = SimulatedFeed.bounds(trace);
            state = GovernorState.start(start, bounds);
            feed.run(FIRST, start);
            batches = FIRST;
        }

        /** @return batches per second */
        double until(int end) {
            double seconds = 0;
            int begun = batches;
            while (batches < end) {
                int count = Math.min(GovernorPolicy.BATCHES, end - batches);
                FeedDiagnosis window = feed.window(count, state.now());
                seconds += window.stretch().seconds();
                batches += count;
                Decision decision = GovernorPolicy.decide(window, state, bounds);
                state = decision.state();
                if (decision.isChange()) {
                    decidedAt.add(batches);
                    reasons.add(batches + " " + state.now() + " " + decision.reason());
                }
            }
            return (batches - begun) / seconds;
        }

        long decisions(int from, int to) {
            return decidedAt.stream().filter(at -> at > from && at <= to).count();
        }
    }

    private static List<Tuning> starts(Trace trace) {
        return List.of(SimulatedFeed.start(trace), new Tuning(1, 1), new Tuning(2, SimulatedFeed.MAX_READ_AHEAD));
    }

    private static void assertConverges(Trace trace) {
        double best = SimulatedFeed.best(trace, 0, CONVERGED, THOUSAND);
        for (Tuning start : starts(trace)) {
            Governed governed = new Governed(trace, 0, 1, start);
            governed.until(CONVERGED);
            double reached = governed.until(CONVERGED + THOUSAND);
            assertThat(reached)
                    .as("%s from %s, of %.1f: %s", trace, start, best, governed.reasons)
                    .isGreaterThanOrEqualTo(0.95 * best);
            governed.until(CONVERGED + 4 * THOUSAND);
            for (int from = CONVERGED; from < CONVERGED + 4 * THOUSAND; from += THOUSAND) {
                assertThat(governed.decisions(from, from + THOUSAND))
                        .as("%s from %s: %s", trace, start, governed.reasons)
                        .isLessThanOrEqualTo(3);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("traces")
    void settings_within200Batches_areNearTheBestOfASweep(Trace trace) {
        assertConverges(trace);
    }

    @ParameterizedTest
    @MethodSource("traces")
    void settings_withNoiseOf30Percent_doNotOscillate(Trace trace) {
        double best = SimulatedFeed.best(trace, 0.3, CONVERGED, THOUSAND);
        int good = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Governed governed = new Governed(trace, 0.3, seed, SimulatedFeed.start(trace));
            governed.until(CONVERGED);
            double reached = governed.until(CONVERGED + THOUSAND);
            good += reached >= 0.95 * best ? 1 : 0;
            governed.until(CONVERGED + 4 * THOUSAND);
            for (int from = CONVERGED; from < CONVERGED + 4 * THOUSAND; from += THOUSAND) {
                assertThat(governed.decisions(from, from + THOUSAND))
                        .as("%s with seed %d: %s", trace, seed, governed.reasons)
                        .isLessThanOrEqualTo(3);
            }
        }
        assertThat(good).as("draws of %s that reach 95 %% of the best", trace).isGreaterThanOrEqualTo(SEEDS * 19 / 20);
    }

    @Test
    void load_thatChanges_isLearnedAgain() {
        // The files come from a disk, until the page cache has them.
        Trace trace = new Trace(
                "cold",
                "read",
                16,
                (workers, batch) -> batch < 600 ? 0.3 / (1 + Math.min(workers, 3)) : 0.002 + 0.02 / (1 + workers),
                0.05);
        Governed governed = new Governed(trace, 0.3, 1, new Tuning(16, SimulatedFeed.MAX_READ_AHEAD));
        governed.until(600);
        governed.until(1_200);
        assertThat(governed.state.now().workers())
                .as(governed.reasons.toString())
                .isLessThanOrEqualTo(2);
        assertThat(governed.until(2_200)).isGreaterThan(0.95 / trace.step());
    }

    @Test
    void settings_thatTheUserFixed_stay() {
        for (Trace trace : Trace.synthetic()) {
            Tuning fixed = new Tuning(3, 3);
            GovernorState state = GovernorState.start(fixed, new Limits(3, 3, 3, 3));
            SimulatedFeed feed = new SimulatedFeed(trace, 0.3, 1);
            for (int i = 0; i < 20; i++) {
                Decision decision = GovernorPolicy.decide(
                        feed.window(GovernorPolicy.BATCHES, state.now()), state, new Limits(3, 3, 3, 3));
                assertThat(decision.isChange())
                        .as("%s: %s", trace, decision.reason())
                        .isFalse();
                state = decision.state();
            }
        }
    }

    @Test
    void settings_whileRecordBatchesAreChecked_stay() {
        Trace trace = new Trace("first cycle", "verify", 16, (workers, batch) -> 0.1, 0.001);
        Governed governed = new Governed(trace, 0, 1, SimulatedFeed.start(trace));
        governed.until(THOUSAND);
        assertThat(governed.reasons).isEmpty();
    }

    @Test
    void reason_hasTheNumbersThatDecided() {
        Governed governed = new Governed(Trace.synthetic().get(8), 0, 1, new Tuning(4, 8));
        governed.until(CONVERGED);
        assertThat(governed.reasons)
                .anySatisfy(line -> assertThat(line).contains("workers=8").contains("data wait 9"))
                .anySatisfy(line -> assertThat(line).contains("rows/s with"));
    }
}
