package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.console.LogEvent;
import io.rankfeed.feeder.serve.admission.RankFeed;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.StageTimes;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedReportTest {
    @TempDir
    private Path folder;

    @Test
    void report_written_isReadBack() {
        FeedReport report = report(5, rank(0, 100, 2.5), rank(3, 4, 0));
        Path file = folder.resolve("deep/report.json");
        report.write(file);
        report.write(file);
        assertThat(FeedReport.read(file)).isEqualTo(report);
        assertThat(file.getParent()).isDirectoryContaining(path -> path.equals(file));
        assertThat(file.getParent().toFile().list()).hasSize(1);
    }

    @Test
    void report_restartedFeeder_isAddedToPredecessor() {
        FeedReport sum = FeedReport.sum(report(5, rank(0, 100, 2), rank(1, 7, 1)), report(2, rank(0, 50, 3)));
        assertThat(sum.ranks()).hasSize(2);
        RankState first = Objects.requireNonNull(sum.ranks().get(new RankFeed(0, "train")));
        assertThat(first.rows()).isEqualTo(150);
        assertThat(first.seconds()).isEqualTo(5);
        assertThat(first.rowsPerSecond()).isEqualTo(30);
        assertThat(Objects.requireNonNull(sum.strata().get(first.key())).get(2)).containsEntry("true/low", 150L);
        assertThat(sum.rejected()).containsExactly(Map.entry("pixels: image-missing", 7L));
        assertThat(sum.table())
                .extracting(LogEvent::message)
                .hasSize(6)
                .contains("rejected and fed as zeros or empty: pixels: image-missing, 7 times")
                .anyMatch(line -> line.contains("stage or epoch 2: true/low 150"))
                .anyMatch(line -> line.matches("train +0 .*30 +13 %"));
    }

    @Test
    void dataWait_isThatOfTheLineAtTheEnd() {
        RankState before = rank(0, 100, 20, 20, 3);
        assertThat(before.times().dataWait()).isEqualTo(0.15);
        assertThat(report(0, before).table().get(1).message()).endsWith(" 15 %");
        FeedProgress progress = new FeedProgress();
        assertThat(progress.events(List.of(before), 10).getFirst().message())
                .isEqualTo("train 0: 10 rows/s, step 50, data wait 15 %");
        assertThat(progress.events(List.of(rank(0, 180, 30, 30, 6)), 10)
                        .getFirst()
                        .message())
                .as("of the last ten seconds")
                .isEqualTo("train 0: 8 rows/s, step 90, data wait 30 %");
        assertThat(progress.events(List.of(rank(0, 180, 30, 40, 16)), 10)
                        .getFirst()
                        .message())
                .as("of a wait that lasts")
                .isEqualTo("train 0: 0 rows/s, step 90, data wait 100 %");
    }

    @Test
    void report_corrupted_isRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("r.json"), "{\"ranks\": [{\"feed\": 1}]}");
        assertThatThrownBy(() -> FeedReport.read(file)).isInstanceOf(CorruptDataException.class);
    }

    /** Each row is of one stratum. */
    private static FeedReport report(long rejected, RankState... ranks) {
        SortedMap<RankFeed, RankState> all = new TreeMap<>();
        SortedMap<RankFeed, SortedMap<Integer, SortedMap<String, Long>>> strata = new TreeMap<>();
        for (RankState rank : ranks) {
            all.put(rank.key(), rank);
            strata.put(rank.key(), new TreeMap<>(Map.of(2, new TreeMap<>(Map.of("true/low", rank.rows())))));
        }
        return new FeedReport(all, strata, new TreeMap<>(Map.of("pixels: image-missing", rejected)));
    }

    private static RankState rank(int rank, long rows, double seconds) {
        return rank(rank, rows, seconds, 2 * seconds, seconds / 4);
    }

    private static RankState rank(int rank, long rows, double seconds, double attached, double waited) {
        StageTimes.Sum waits = new StageTimes.Sum(0, (long) (waited * 1e9));
        StageTimes times = new StageTimes((long) (attached * 1e9), new TreeMap<>(Map.of("wait_batch", waits)));
        return new RankState(
                new RankFeed(rank, "train"), 4, rows, rows / 2, 1, seconds, List.of(), Optional.empty(), 0, times);
    }
}
