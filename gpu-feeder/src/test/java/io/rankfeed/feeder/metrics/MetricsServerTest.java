package io.rankfeed.feeder.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as bytes over a socket: a client of a library would correct them. */
@Timeout(60)
class MetricsServerTest {
    private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);
    private static final String TOKEN = "0123456789abcdef";
    private static final String BASIC = "Basic dTowMTIzNDU2Nzg5YWJjZGVm";

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final AtomicReference<NodeState> state = new AtomicReference<>(TestNode.serving());

    private MetricsServer started(Optional<AccessToken> token) {
        MetricsAccess access = new MetricsAccess(ANY_PORT, token);
        return MetricsServer.start(access, () -> state.get().isReady(), state::get, event -> log.add(event.message()));
    }

    private static Optional<AccessToken> token() {
        return AccessToken.of(null, Map.of(AccessToken.VARIABLE, TOKEN));
    }

    private static String ask(MetricsServer server, String first, String... headers) throws IOException {
        try (RawRequest request = new RawRequest(server.port(), first, headers)) {
            return request.answer();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /metrics    | 200 | rankfeed_ready 1.0",
                "GET /metrics?a= | 200 | rankfeed_ready 1.0",
                "GET /healthz    | 200 | alive",
                "GET /readyz     | 200 | ready",
                "GET /           | 200 | <tbody id=\"ranks\"></tbody>",
                "GET /status.js  | 200 | new EventSource(\"events\")",
                "GET /status.css | 200 | color-scheme: light dark",
                "GET /icon.svg   | 200 | <svg",
                "GET /status.html| 404 | unknown path",
                "GET /other      | 404 | unknown path",
                "GET /metrics/   | 404 | unknown path",
                "POST /metrics   | 405 | only GET and HEAD",
                "OPTIONS /       | 405 | only GET and HEAD",
            })
    void path_isAnswered(String request, int status, String body) throws IOException {
        try (MetricsServer server = started(Optional.empty())) {
            assertThat(ask(server, request, "Host: localhost\r\n"))
                    .startsWith("HTTP/1.1 " + status + " ")
                    .contains("Content-security-policy: default-src 'none'; script-src 'self'")
                    .contains("X-content-type-options: nosniff")
                    .doesNotContain("unsafe")
                    .contains(body);
        }
        assertThat(log).singleElement().asString().contains("status page and metrics at http://127.0.0.1:");
    }

    @Test
    void head_hasNoBody() throws IOException {
        try (MetricsServer server = started(Optional.empty())) {
            assertThat(ask(server, "HEAD /metrics", "Host: localhost\r\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Content-type: text/plain; version=0.0.4; charset=utf-8")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void copyingFeeder_isAliveAndNotReady() throws IOException {
        state.set(TestNode.COPYING);
        try (MetricsServer server = started(Optional.empty())) {
            assertThat(ask(server, "GET /healthz", "Host: localhost\r\n")).startsWith("HTTP/1.1 200 ");
            assertThat(ask(server, "GET /readyz", "Host: localhost\r\n")).startsWith("HTTP/1.1 503 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:9464", "[::1]", "[::1]:9464"})
    void hostOfThisMachine_isAnswered(String host) throws IOException {
        try (MetricsServer server = started(Optional.empty())) {
            assertThat(ask(server, "GET /metrics", "Host: " + host + "\r\n")).startsWith("HTTP/1.1 200 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: evil.example\r\n",
                "Host: 127.0.0.2\r\n",
                "Host: evil.example:9464\r\n",
                "Host: localhost.evil.example\r\n",
                "Host: evil.example:127.0.0.1\r\n",
                "Host: \r\n",
                "Host: localhost\r\nHost: evil.example\r\n",
                ""
            })
    void hostOfAnother_isRefused(String headers) throws IOException {
        try (MetricsServer server = started(Optional.empty())) {
            assertThat(ask(server, "GET /metrics", headers))
                    .startsWith("HTTP/1.1 421 ")
                    .doesNotContain("rankfeed_");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/metrics, Bearer 0123456789abcdef, 200",
        "/metrics, " + BASIC + ", 200",
        "/metrics, bearer 0123456789abcdef, 200",
        "/metrics, BASIC dTowMTIzNDU2Nzg5YWJjZGVm, 200",
        "/metrics, , 401",
        "/metrics, Bearer, 401",
        "/metrics, Bearer 0123456789abcdeX, 401",
        "/metrics, Bearer 0123456789abcde, 401",
        "/metrics, Bearer 0123456789abcdef0, 401",
        "/metrics, Basic !!!, 401",
        "/metrics, Basic dQ==, 401",
        "/metrics, 0123456789abcdef, 401",
        "/, , 401",
        "/other, , 401",
        "/healthz/../metrics, , 401",
        "/healthz, , 200",
        "/readyz, , 200"
    })
    void token_isRequiredOfAllButProbes(String path, String authorization, int status) throws IOException {
        try (MetricsServer server = started(token())) {
            String header = authorization == null ? "" : "Authorization: " + authorization + "\r\n";
            assertThat(ask(server, "GET " + path, "Host: node7.example\r\n", header))
                    .startsWith("HTTP/1.1 " + status + " ")
                    .doesNotContain(TOKEN);
        }
    }

    @Test
    void tokenInTheAddress_isNoToken() throws IOException {
        try (MetricsServer server = started(token())) {
            assertThat(ask(server, "GET /metrics?token=" + TOKEN, "Host: localhost\r\n"))
                    .startsWith("HTTP/1.1 401 ")
                    .contains("Www-authenticate: Basic");
        }
    }

    @Test
    void failureToReadTheState_endsOneRequest() throws IOException {
        try (MetricsServer server = MetricsServer.start(
                new MetricsAccess(ANY_PORT, Optional.empty()),
                () -> true,
                () -> {
                    throw new IllegalStateException("closed");
                },
                event -> log.add(event.message()))) {
            assertThat(ask(server, "GET /metrics", "Host: localhost\r\n")).doesNotContain("rankfeed_");
            assertThat(ask(server, "GET /healthz", "Host: localhost\r\n")).startsWith("HTTP/1.1 200 ");
        }
        assertThat(log.getLast()).contains("/metrics").contains("closed");
    }
}
