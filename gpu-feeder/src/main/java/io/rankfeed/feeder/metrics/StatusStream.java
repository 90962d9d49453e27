package io.rankfeed.feeder.metrics;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Sends the state of a feeder to each open status page, every second, as server-sent events. */
final class StatusStream {
    private static final int MAX_PAGES = 32;
    private static final long PAUSE_MILLIS = 1_000;

    private final Supplier<NodeState> state;
    private final Semaphore pages = new Semaphore(MAX_PAGES);

    StatusStream(Supplier<NodeState> state) {
        this.state = state;
    }

    /** Sends until the page is closed or this thread is interrupted. */
    void serve(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            Answer.text(exchange, 200, "");
            return;
        }
        if (!pages.tryAcquire()) {
            Answer.text(exchange, 503, MAX_PAGES + " status pages are open; close one");
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            StatusWindow window = new StatusWindow();
            while (!Thread.interrupted()) {
                // JSON on one line: an end of line would end the event.
                byte[] event = ("data: " + window.add(System.nanoTime(), state.get()) + "\n\n")
                        .getBytes(StandardCharsets.UTF_8);
                Answer.limited(() -> {
                    out.write(event);
                    out.flush();
                });
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            pages.release();
        }
    }
}
