package io.rankfeed.feeder.metrics;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The files of the status page, which are in the jar. */
enum PageFile {
    PAGE("/", "status.html", "text/html; charset=utf-8"),
    SCRIPT("/status.js", "status.js", "text/javascript; charset=utf-8"),
    STYLE("/status.css", "status.css", "text/css; charset=utf-8"),
    ICON("/icon.svg", "icon.svg", "image/svg+xml");

    private final String path;
    private final String resource;
    private final String type;

    PageFile(String path, String resource, String type) {
        this.path = path;
        this.resource = resource;
        this.type = type;
    }

    String path() {
        return path;
    }

    String type() {
        return type;
    }

    /** Sends the file of a path, or says that there is none. */
    static void send(HttpExchange exchange) throws IOException {
        for (PageFile file : values()) {
            if (file.path.equals(exchange.getRequestURI().getPath())) {
                try (InputStream in = Objects.requireNonNull(PageFile.class.getResourceAsStream(file.resource))) {
                    Answer.send(exchange, 200, file.type, in.readAllBytes());
                }
                return;
            }
        }
        Answer.text(exchange, 404, "unknown path; there are /, /metrics, /healthz and /readyz");
    }
}
