package io.rankfeed.feeder.metrics;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Writes answers to requests, for a limited time each. */
final class Answer {
    private static final long NO_BODY = -1;

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private Answer() {}

    /** Something that waits where a client does not read. */
    interface Write {
        void run() throws IOException;
    }

    /** A line of text. */
    static void text(HttpExchange exchange, int status, String line) throws IOException {
        send(exchange, status, "text/plain; charset=utf-8", (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** A body; only its headers if the request is HEAD. */
    static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        limited(() -> {
            exchange.sendResponseHeaders(status, isHead ? NO_BODY : body.length);
            if (!isHead) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
    }

    /** Writes; a client that does not read for so long loses its connection. */
    static void limited(Write write) throws IOException {
        limited(LIMIT, write);
    }

    /** Interrupts this thread after the limit, which closes the channel that it writes to. */
    static void limited(Duration limit, Write write) throws IOException {
        Thread writer = Thread.currentThread();
        Thread watch = Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(limit);
                writer.interrupt();
            } catch (InterruptedException e) {
                // It was written in time.
            }
        });
        try {
            write.run();
        } finally {
            watch.interrupt();
        }
    }
}
