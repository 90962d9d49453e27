package io.rankfeed.feeder.metrics;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are answered. A page of another site can send requests to this machine under a name of its own that it
 * points to 127.0.0.1 (DNS rebinding), but not under one of this machine's names, and not with a token.
 */
final class RequestGuard extends Filter {
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> METHODS = Set.of("GET", "HEAD");

    /** Nothing is loaded from elsewhere, no script or style is inline, and no page can frame this one. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final Optional<AccessToken> token;

    RequestGuard(Optional<AccessToken> token) {
        this.token = token;
    }

    @Override
    public String description() {
        return "host, method and token";
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        Headers answer = exchange.getResponseHeaders();
        answer.set("Content-Security-Policy", POLICY);
        answer.set("X-Content-Type-Options", "nosniff");
        answer.set("Cross-Origin-Resource-Policy", "same-origin");
        answer.set("Referrer-Policy", "no-referrer");
        answer.set("Cache-Control", "no-store");
        if (!METHODS.contains(exchange.getRequestMethod())) {
            answer.set("Allow", "GET, HEAD");
            Answer.text(exchange, 405, "only GET and HEAD");
        } else if (token.isEmpty() && !isLocal(exchange.getRequestHeaders().get("Host"))) {
            Answer.text(exchange, 421, "the host of the request is not localhost, 127.0.0.1 or [::1]");
        } else if (!isAllowed(exchange)) {
            answer.set("WWW-Authenticate", "Basic realm=\"rankfeed\", charset=\"UTF-8\"");
            Answer.text(
                    exchange, 401, "the token of --metrics-token-file is required, as a bearer token or a password");
        } else {
            chain.doFilter(exchange);
        }
    }

    private boolean isAllowed(HttpExchange exchange) {
        return token.isEmpty()
                || MetricsServer.OPEN.contains(exchange.getRequestURI().getPath())
                || token.get().isIn(exchange.getRequestHeaders().getFirst("Authorization"));
    }

    private static boolean isLocal(@Nullable List<String> hosts) {
        return hosts != null
                && hosts.size() == 1
                && LOCAL.contains(hosts.getFirst().toLowerCase(Locale.ROOT).replaceFirst(":[0-9]*$", ""));
    }
}
