package io.rankfeed.feeder.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MetricsAccessTest {
    private final List<String> log = new CopyOnWriteArrayList<>();

    private static MetricsAccess access(String host, int port) {
        return new MetricsAccess(new ListenAddress(host, port), Optional.empty());
    }

    private Optional<MetricsServer> start(MetricsAccess access, long restarts) {
        return access.start(() -> true, TestNode::serving, restarts, event -> log.add(event.message()));
    }

    @Test
    void hostOfTheOption_isAnswered() throws IOException {
        try (MetricsServer server = start(access("127.0.0.2", 0), 0).orElseThrow();
                RawRequest request = new RawRequest(
                        InetAddress.getByName("127.0.0.2"), server.port(), "GET /readyz", "Host: 127.0.0.2:9464\r\n")) {
            assertThat(request.answer()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void portInUse_endsTheFirstFeederOnly() {
        try (MetricsServer first = start(access("127.0.0.1", 0), 0).orElseThrow()) {
            MetricsAccess same = access("127.0.0.1", first.port());
            assertThatThrownBy(() -> start(same, 0))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("cannot bind --metrics 127.0.0.1:" + first.port())
                    .hasMessageContaining("choose another port");
            assertThat(start(same, 1)).isEmpty();
            assertThat(log.getLast()).contains("choose another port").endsWith("feeds without metrics");
        }
    }
}
