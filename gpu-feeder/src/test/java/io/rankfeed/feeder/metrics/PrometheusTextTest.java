package io.rankfeed.feeder.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.StageTimer;
import io.rankfeed.feeder.timing.StageTimes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusTextTest {
    private static final Path ROOT = Path.of(System.getProperty("rankfeed.root", ".."));
    private static final RankState FIRST =
            TestNode.rank("train", 0, 80, 20, Map.of("fill", 5.0, "wait_batch", 2.5, "trainer", 17.0));
    private static final RankState SECOND = TestNode.rank("train", 1, 160, 30, Map.of("fill", 1.0, "wait_batch", 0.0));

    private static List<String> lines(NodeState state) {
        return new String(PrometheusText.of(state), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    @Test
    void node_isOneSampleEach() {
        assertThat(lines(TestNode.COPYING))
                .contains(
                        "rankfeed_info{plan=\"00000000000000aa\",run=\"r\",version=\"00000000000000bb\"} 1",
                        "rankfeed_ready 0.0",
                        "rankfeed_sync_bytes 100.0",
                        "rankfeed_sync_done_bytes 40.0",
                        "rankfeed_restarts_total 0.0")
                .noneMatch(line -> line.startsWith("rankfeed_rows"));
    }

    @Test
    void ranks_haveASampleEach() {
        assertThat(lines(TestNode.serving(FIRST, TestNode.detached(SECOND))))
                .contains(
                        "rankfeed_rows_total{feed=\"train\",rank=\"0\"} 80.0",
                        "rankfeed_rows_total{feed=\"train\",rank=\"1\"} 160.0",
                        "rankfeed_batches_total{feed=\"train\",rank=\"1\"} 20.0",
                        "rankfeed_attached_seconds_total{feed=\"train\",rank=\"1\"} 30.0",
                        "rankfeed_data_wait_seconds_total{feed=\"train\",rank=\"0\"} 2.5",
                        "rankfeed_attached{feed=\"train\",rank=\"0\"} 1.0",
                        "rankfeed_attached{feed=\"train\",rank=\"1\"} 0.0",
                        "rankfeed_ring_slots{feed=\"train\",rank=\"0\"} 4.0",
                        "rankfeed_ring_slots{feed=\"train\",rank=\"1\"} 0.0",
                        "rankfeed_ring_filled_slots{feed=\"train\",rank=\"0\"} 3.0",
                        "rankfeed_ring_bytes{feed=\"train\",rank=\"0\"} 57344.0",
                        "rankfeed_cache_bytes 1000.0",
                        "rankfeed_restarts_total 2.0");
    }

    @Test
    void reasons_areEscaped() {
        assertThat(lines(TestNode.serving()))
                .contains(
                        "rankfeed_rejected_rows_total{reason=\"pixels: \\\"a\\\"\\\\b\"} 3.0",
                        "rankfeed_decoder_messages_total{reason=\"Corrupt JPEG data\"} 5.0");
    }

    /** Ten durations of fill are those of rank 0, two those of rank 1. */
    @Test
    void stages_areHistogramsOverRanks() {
        List<String> lines = lines(TestNode.serving(FIRST, SECOND));
        assertThat(lines)
                .contains(
                        "# TYPE rankfeed_stage_duration_seconds histogram",
                        "rankfeed_stage_duration_seconds_bucket{feed=\"train\",stage=\"fill\",le=\"0.262144\"} 0",
                        "rankfeed_stage_duration_seconds_bucket{feed=\"train\",stage=\"fill\",le=\"0.524288\"} 12",
                        "rankfeed_stage_duration_seconds_bucket{feed=\"train\",stage=\"fill\",le=\"+Inf\"} 12",
                        "rankfeed_stage_duration_seconds_count{feed=\"train\",stage=\"fill\"} 12",
                        "rankfeed_stage_duration_seconds_sum{feed=\"train\",stage=\"fill\"} 6.0");
        assertThat(lines.stream().filter(line -> line.contains("_bucket{feed=\"train\",stage=\"trainer\"")))
                .hasSize(StageTimer.BUCKETS);
    }

    @Test
    void stages_withCountsOfAHostileTrainer_areNumbers() {
        StageTimes.Sum huge = new StageTimes.Sum(
                Long.MAX_VALUE, Long.MAX_VALUE, Collections.nCopies(StageTimer.BUCKETS, Long.MAX_VALUE), 0);
        StageTimes times = new StageTimes(1, new TreeMap<>(Map.of("wait_batch", huge)));
        RankState rank = new RankState(FIRST.key(), 2, 1, 1, 1, 1, List.of(), FIRST.ring(), 1, times);
        assertThat(lines(TestNode.serving(rank)))
                .filteredOn(line -> line.startsWith("rankfeed_stage_duration_seconds_count"))
                .singleElement()
                .satisfies(line ->
                        assertThat(Long.parseLong(line.replaceFirst(".* ", ""))).isPositive());
    }

    @ParameterizedTest
    @ValueSource(strings = {"conf/prometheus/rankfeed-alerts.yaml", "conf/grafana/rankfeed.json"})
    void alertsAndDashboard_nameSamplesThatExist(String file) throws IOException {
        Set<String> samples = lines(TestNode.serving(FIRST)).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
        String text = Files.readString(ROOT.resolve(file));
        assertThat(Pattern.compile("\\brankfeed_\\w+").matcher(text).results().map(MatchResult::group))
                .isNotEmpty()
                .allMatch(samples::contains);
    }

    @Test
    void page_namesEveryMetricAndNoOther() throws IOException {
        Stream<String> exposed = lines(TestNode.serving(FIRST)).stream()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ", -1)[2]);
        Stream<String> named = Files.readAllLines(ROOT.resolve("docs/how-to/metrics.md")).stream()
                .filter(line -> line.startsWith("| `rankfeed_"))
                .flatMap(line -> Pattern.compile("`(rankfeed_\\w+)")
                        .matcher(line.split("\\|", -1)[1])
                        .results()
                        .map(match -> match.group(1)));
        assertThat(named).containsExactlyInAnyOrderElementsOf(exposed.toList());
    }
}
