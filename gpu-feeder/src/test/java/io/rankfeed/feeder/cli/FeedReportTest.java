package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.console.LogEvent;
import io.rankfeed.feeder.serve.admission.RankReport;
import io.rankfeed.feeder.timing.Bottleneck;
import io.rankfeed.feeder.timing.StageTimes;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedReportTest {
    @TempDir
    private Path folder;

    @Test
    void report_written_isReadBack() {
        FeedReport report = new FeedReport(List.of(rank(0, 100, 2.5), rank(3, 4, 0)), rejected(5));
        Path file = folder.resolve("deep/report.json");
        report.write(file);
        report.write(file);
        assertThat(FeedReport.read(file)).isEqualTo(report);
        assertThat(file.getParent()).isDirectoryContaining(path -> path.equals(file));
        assertThat(file.getParent().toFile().list()).hasSize(1);
    }

    @Test
    void report_restartedFeeder_isAddedToPredecessor() {
        FeedReport sum = FeedReport.sum(
                new FeedReport(List.of(rank(0, 100, 2), rank(1, 7, 1)), rejected(5)),
                new FeedReport(List.of(rank(0, 50, 3)), rejected(2)));
        assertThat(sum.ranks()).hasSize(2);
        RankReport first = sum.ranks().getFirst();
        assertThat(first.rows()).isEqualTo(150);
        assertThat(first.seconds()).isEqualTo(5);
        assertThat(first.rowsPerSecond()).isEqualTo(30);
        assertThat(first.strata().get(2)).containsEntry("true/low", 150L);
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
        SortedMap<String, StageTimes.Sum> stages =
                new TreeMap<>(Map.of("wait_batch", new StageTimes.Sum(10, 3_000_000_000L)));
        StageTimes times = new StageTimes(20_000_000_000L, stages);
        RankReport rank = new RankReport("train", 0, 1, 100, 1, 1, 2, 20, 3, new TreeMap<>());
        assertThat(rank.dataWait())
                .isEqualTo(Bottleneck.between(StageTimes.NONE, times).dataWait())
                .isEqualTo(0.15);
        assertThat(new FeedReport(List.of(rank), new TreeMap<>())
                        .table()
                        .getLast()
                        .message())
                .endsWith(" 15 %");
        assertThat(new FeedProgress().events(List.of(rank), 10).getFirst().message())
                .isEqualTo("train 0: 10 rows/s, step 1, data wait 30 %");
    }

    @Test
    void report_corrupted_isRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("r.json"), "{\"ranks\": [{\"feed\": 1}]}");
        assertThatThrownBy(() -> FeedReport.read(file)).isInstanceOf(CorruptDataException.class);
    }

    private static SortedMap<String, Long> rejected(long images) {
        return new TreeMap<>(Map.of("pixels: image-missing", images));
    }

    private static RankReport rank(int rank, long rows, double seconds) {
        return new RankReport(
                "train",
                rank,
                4,
                rows,
                rows / 2,
                1,
                seconds,
                2 * seconds,
                seconds / 4,
                new TreeMap<>(Map.of(2, new TreeMap<>(Map.of("true/low", rows)))));
    }
}
