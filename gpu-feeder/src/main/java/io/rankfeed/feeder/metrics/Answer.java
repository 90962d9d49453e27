package io.rankfeed.feeder.metrics;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes whole answers to requests. */
final class Answer {
    private static final long NO_BODY = -1;

    private Answer() {}

    /** A line of text. */
    static void text(HttpExchange exchange, int status, String line) throws IOException {
        send(exchange, status, "text/plain; charset=utf-8", (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** A body; only its headers if the request is HEAD. */
    static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isHead ? NO_BODY : body.length);
        if (!isHead) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }
}
