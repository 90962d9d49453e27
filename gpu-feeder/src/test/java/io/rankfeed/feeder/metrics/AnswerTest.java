package io.rankfeed.feeder.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnswerTest {
    private static final int MORE_THAN_BUFFERS = 1 << 26;

    @Test
    void clientThatDoesNotRead_losesItsConnection() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        CompletableFuture<IOException> failure = new CompletableFuture<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                try (exchange) {
                    exchange.sendResponseHeaders(200, 0);
                    byte[] body = new byte[MORE_THAN_BUFFERS];
                    Answer.limited(Duration.ofMillis(300), () -> exchange.getResponseBody()
                            .write(body));
                } catch (IOException e) {
                    failure.complete(e);
                    throw e;
                }
            });
            server.start();
            try (RawRequest request = new RawRequest(server.getAddress().getPort(), "GET /", "Host: localhost\r\n")) {
                assertThat(failure.get()).isNotNull();
                assertThat(request.answer()).startsWith("HTTP/1.1 200 ").hasSizeLessThan(MORE_THAN_BUFFERS);
            } finally {
                server.stop(0);
            }
        }
    }
}
