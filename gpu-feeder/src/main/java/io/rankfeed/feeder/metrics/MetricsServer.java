package io.rankfeed.feeder.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rankfeed.console.Log;
import io.rankfeed.console.LogEvent;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Answers requests over HTTP about one feeder, from {@link #start} until {@link #close}. */
public final class MetricsServer implements AutoCloseable {
    /** Paths that need no token, as probes have none. They say nothing but alive and ready. */
    static final Set<String> OPEN = Set.of("/healthz", "/readyz");

    /** Limits of the JDK's server, which has none by default: seconds to send a request in, connections. */
    private static final Map<String, String> LIMITS =
            Map.of("sun.net.httpserver.maxReqTime", "10", "jdk.httpserver.maxConnections", "256");

    private final HttpServer server;
    private final BooleanSupplier isReady;
    private final Supplier<NodeState> state;
    private final Log log;
    private final StatusStream pages;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private MetricsServer(
            HttpServer server, MetricsAccess access, BooleanSupplier isReady, Supplier<NodeState> state, Log log) {
        this.server = server;
        this.isReady = isReady;
        this.state = state;
        this.log = log;
        pages = new StatusStream(state);
        server.setExecutor(threads);
        server.createContext("/", this::handle).getFilters().add(new RequestGuard(access));
    }

    /**
     * @param isReady whether trainers can attach; called by several threads, as the next
     * @param state reads the feeder
     * @throws EnvironmentException if the address cannot be listened on
     */
    static MetricsServer start(MetricsAccess access, BooleanSupplier isReady, Supplier<NodeState> state, Log log) {
        ListenAddress address = access.address();
        InetSocketAddress resolved = resolved(access);
        LIMITS.forEach(System.getProperties()::putIfAbsent);
        try {
            MetricsServer started = new MetricsServer(HttpServer.create(resolved, 0), access, isReady, state, log);
            started.server.start();
            String shown = new ListenAddress(address.host(), started.port()).toString();
            log.write(LogEvent.info("status page and metrics at http://" + shown + "/")
                    .with("address", shown));
            return started;
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("cannot bind --metrics " + address, e) + "; choose another port", e);
        }
    }

    /** @throws ConfigException if other machines can reach the address and there is no token */
    static InetSocketAddress resolved(MetricsAccess access) {
        ListenAddress address = access.address();
        InetSocketAddress resolved = address.resolved();
        if (access.token().isEmpty() && !resolved.getAddress().isLoopbackAddress()) {
            throw new ConfigException("--metrics " + address + " can be reached from other machines; set a token with"
                    + " --metrics-token-file or " + AccessToken.VARIABLE + ", or listen on 127.0.0.1");
        }
        return resolved;
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            switch (exchange.getRequestURI().getPath()) {
                case "/metrics" ->
                    Answer.send(exchange, 200, PrometheusText.CONTENT_TYPE, PrometheusText.of(state.get()));
                case "/healthz" -> Answer.text(exchange, 200, "alive");
                case "/readyz" -> ready(exchange);
                case "/events" -> pages.serve(exchange);
                default -> PageFile.send(exchange);
            }
        } catch (RuntimeException e) {
            log.warning("a request for " + exchange.getRequestURI().getPath() + " failed: " + e);
            throw e;
        }
    }

    private void ready(HttpExchange exchange) throws IOException {
        boolean ready = isReady.getAsBoolean();
        Answer.text(exchange, ready ? 200 : 503, ready ? "ready" : "not ready: the feeder is starting or stopping");
    }

    /** Ends all connections. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
