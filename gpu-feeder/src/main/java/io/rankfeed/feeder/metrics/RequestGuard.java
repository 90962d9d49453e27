package io.rankfeed.feeder.metrics;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are answered. Without a token the host must be that of the option or a name of loopback, so that DNS
 * rebinding cannot read the state: a page of another site that points its own name to 127.0.0.1.
 */
final class RequestGuard extends Filter {
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> METHODS = Set.of("GET", "HEAD");

    /** Nothing is loaded from elsewhere, no script or style is inline, and no page can frame this one. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final Optional<AccessToken> token;
    private final SortedSet<String> hosts = new TreeSet<>(LOCAL);

    RequestGuard(MetricsAccess access) {
        token = access.token();
        hosts.add(access.address().webHost().toLowerCase(Locale.ROOT));
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
            Answer.text(exchange, 421, "the host of the request is none of " + String.join(", ", hosts));
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

    private boolean isLocal(@Nullable List<String> asked) {
        return asked != null
                && asked.size() == 1
                && hosts.contains(asked.getFirst().toLowerCase(Locale.ROOT).replaceFirst(":[0-9]*$", ""));
    }
}
