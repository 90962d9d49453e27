package io.rankfeed.feeder.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.schema.json.StrictJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the status page gets, and its files. test_status_page.py opens it in Chromium. */
@Timeout(60)
class StatusPageTest {
    private static final long SECOND = 1_000_000_000L;

    private static RankState rank(int number, long rows, long seconds, double decode, double waited) {
        return TestNode.rank(
                "train", number, rows, seconds, Map.of("decode", decode, "fill", decode / 2, "wait_batch", waited));
    }

    @Test
    void firstState_describesAllThatHappened() {
        JsonNode shown = new StatusWindow().add(5, TestNode.serving(rank(0, 80, 10, 8, 4)));
        JsonNode feed = shown.path("feeds").path(0);
        assertThat(feed.path("feed").asText()).isEqualTo("train");
        assertThat(feed.path("bottleneck").asText()).isEqualTo("decode");
        assertThat(feed.path("advice").asText()).contains("--workers");
        assertThat(feed.path("dataWait").asDouble()).isCloseTo(0.4, within(1e-9));
        assertThat(feed.path("rowsPerSecond").asDouble()).isZero();
        assertThat(shown.path("ready").asBoolean()).isTrue();
        assertThat(shown.path("rejections").path("pixels: \"a\"\\b").asLong()).isEqualTo(3);
    }

    @Test
    void rates_areThoseOfTheLastTenSeconds() {
        StatusWindow window = new StatusWindow();
        for (int second = 0; second <= 20; second++) {
            // Rank 0 waits in the first ten seconds only; rank 1 comes after five.
            List<RankState> ranks = new ArrayList<>();
            ranks.add(rank(0, 100L * second, second, second, Math.min(second, 10)));
            if (second >= 5) {
                ranks.add(rank(1, 10L * (second - 5), second - 5, 0, 0));
            }
            JsonNode shown = window.add(second * SECOND, TestNode.serving(ranks.toArray(RankState[]::new)));
            if (second == 10) {
                assertThat(shown.path("feeds").path(0).path("dataWait").asDouble())
                        .isCloseTo(10.0 / 15, within(1e-9));
            }
            if (second == 20) {
                assertThat(shown.path("feeds").path(0).path("dataWait").asDouble())
                        .isZero();
                assertThat(shown.path("feeds").path(0).path("rowsPerSecond").asDouble())
                        .isCloseTo(110, within(1e-9));
                assertThat(shown.path("ranks").path(0).path("rowsPerSecond").asDouble())
                        .isCloseTo(100, within(1e-9));
                assertThat(shown.path("ranks").path(1).path("rows").asLong()).isEqualTo(150);
                assertThat(shown.path("ranks").path(1).path("filledSlots").asInt())
                        .isEqualTo(3);
            }
        }
    }

    @Test
    void rankWithoutATrainer_hasNoSlots() {
        RankState gone = TestNode.detached(rank(0, 80, 10, 8, 4));
        JsonNode shown =
                new StatusWindow().add(0, TestNode.serving(gone)).path("ranks").path(0);
        assertThat(shown.path("attached").asBoolean()).isFalse();
        assertThat(shown.path("slots").asInt()).isZero();
    }

    @Test
    void events_areSentWhileTheStateChanges() throws IOException {
        AtomicReference<NodeState> state = new AtomicReference<>(TestNode.COPYING);
        MetricsAccess address = new MetricsAccess(new ListenAddress("127.0.0.1", 0), Optional.empty());
        try (MetricsServer server = MetricsServer.start(address, () -> true, state::get, event -> {});
                RawRequest page = new RawRequest(server.port(), "GET /events", "Host: localhost\r\n");
                BufferedReader lines = page.lines()) {
            assertThat(RawRequest.skipTo(lines, "Content-type: ")).contains("text/event-stream");
            assertThat(event(lines).path("ready").asBoolean()).isFalse();
            state.set(TestNode.serving(rank(0, 80, 10, 8, 4)));
            assertThat(event(lines).path("ranks")).hasSize(1);
        }
    }

    private static JsonNode event(BufferedReader lines) throws IOException {
        String line = RawRequest.skipTo(lines, "data: ");
        return StrictJson.parse(line.substring("data: ".length()).getBytes(StandardCharsets.UTF_8), "event");
    }

    /** The policy of the answer would refuse inline scripts and styles, and whatever is loaded from elsewhere. */
    @ParameterizedTest
    @EnumSource(PageFile.class)
    void file_loadsNothingFromElsewhere(PageFile file) throws IOException {
        MetricsAccess address = new MetricsAccess(new ListenAddress("127.0.0.1", 0), Optional.empty());
        try (MetricsServer server = MetricsServer.start(address, () -> true, TestNode::serving, event -> {});
                RawRequest request = new RawRequest(server.port(), "GET " + file.path(), "Host: localhost\r\n")) {
            String answer = request.answer();
            assertThat(answer).startsWith("HTTP/1.1 200 ").contains("Content-type: " + file.type());
            assertThat(answer.replace("http://www.w3.org/2000/svg", ""))
                    .doesNotContainPattern("https?://|//[a-z]|@import|innerHTML|eval\\(")
                    .doesNotContainPattern("(?i)<[a-z][^>]* (style|on[a-z]+)=|<style|<script(?! src=)");
        }
    }
}
