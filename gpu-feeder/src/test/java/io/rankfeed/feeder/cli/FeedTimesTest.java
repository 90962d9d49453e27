package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.LogEvent;
import io.rankfeed.console.LogLevel;
import io.rankfeed.feeder.serve.admission.RankFeed;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The lines about each feed, with a simulated clock. */
class FeedTimesTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<LogEvent> events = new ArrayList<>();
    private final FeedTimes times = new FeedTimes(events::add, 7);

    private static RankState rank(String feed, int rank, long rows, double seconds, StageTimes times) {
        return new RankState(
                new RankFeed(rank, feed), 2, rows, rows / 10, 1, seconds, List.of(), Optional.empty(), 0, times);
    }

    /** Of one client since its start, in seconds. */
    private static StageTimes stages(
            long attached, long waitSlot, long fill, long decode, long waitBatch, long trainer) {
        SortedMap<String, StageTimes.Sum> all = new TreeMap<>();
        Map.of("wait_slot", waitSlot, "fill", fill, "decode", decode, "wait_batch", waitBatch, "trainer", trainer)
                .forEach((name, seconds) -> all.put(name, new StageTimes.Sum(seconds, seconds * SECOND)));
        return new StageTimes(attached * SECOND, all);
    }

    private List<String> said() {
        List<String> lines = events.stream()
                .filter(event -> event.level() == LogLevel.INFO)
                .map(LogEvent::message)
                .toList();
        events.clear();
        return lines;
    }

    @Test
    void minute_begins_whenTheLastOneWasLogged() {
        assertThat(times.isDue(7 + 60 * SECOND - 1)).isFalse();
        assertThat(times.isDue(7 + 60 * SECOND)).isTrue();
        times.minute(7 + 61 * SECOND, List.of());
        assertThat(times.isDue(7 + 120 * SECOND)).isFalse();
        assertThat(times.isDue(7 + 121 * SECOND)).isTrue();
        assertThat(events).isEmpty();
    }

    @Test
    void minute_hasRateWaitAndBottleneckOfTheMinuteAlone() {
        RankState other = rank("train", 1, 10_000, 58, stages(60, 50, 10, 9, 0, 60));
        RankState train = rank("train", 0, 50_000, 58, stages(60, 50, 10, 9, 0, 60));
        times.minute(7 + 60 * SECOND, List.of(train, other, rank("valid", 0, 0, 0, stages(60, 0, 1, 1, 0, 0))));
        LogEvent line = events.getFirst();
        assertThat(said()).containsExactly("train: 1,000 rows/s, data wait 0 %, bottleneck trainer");
        assertThat(line.fields())
                .containsEntry("feed", "train")
                .containsEntry("rows", 60_000L)
                .containsEntry("seconds", 60.0)
                .containsEntry("rows_per_second", 1000.0)
                .containsEntry("data_wait", 0.0)
                .containsEntry("slot_wait", 0.833)
                .containsEntry("bottleneck", "trainer")
                .containsEntry("bottleneck_share", 1.0);

        // The trainers of one feed pause; those of the other one have waited for their first batch.
        List<RankState> second = List.of(
                rank("train", 0, 50_000, 58, stages(120, 50, 10, 9, 0, 60)),
                other,
                rank("valid", 0, 0, 0, stages(120, 0, 55, 50, 50, 0)));
        times.minute(7 + 120 * SECOND, second);
        assertThat(said()).containsExactly("valid: 0 rows/s, data wait 83 %, bottleneck decode");
        times.minute(7 + 180 * SECOND, second);
        assertThat(said()).isEmpty();
    }

    @Test
    void stages_areLoggedForPeopleWhoAskForDebug() {
        times.minute(7 + 60 * SECOND, List.of(rank("train", 0, 600, 60, stages(60, 50, 10, 9, 0, 60))));
        LogEvent line = events.getLast();
        assertThat(line.level()).isEqualTo(LogLevel.DEBUG);
        assertThat(line.message()).startsWith("train: stages: decode 9.00 s, fill 10.00 s, ");
        assertThat(line.fields()).containsEntry("decode_seconds", 9.0).containsEntry("decode_count", 9L);
    }

    @Test
    void end_hasTheTotals() {
        times.end(List.of(
                rank("train", 0, 1_000_000, 80, stages(80, 10, 70, 65, 32, 40)),
                rank("train", 1, 1_000_000, 100, stages(120, 10, 110, 105, 48, 60)),
                rank("valid", 0, 0, 0, stages(100, 0, 1, 1, 0, 0))));
        assertThat(said())
                .containsExactly("train: 2,000,000 rows in 100.0 s, 20,000 rows/s, data wait 40 %, bottleneck decode");
    }
}
