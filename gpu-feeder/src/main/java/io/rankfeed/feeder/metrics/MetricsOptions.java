package io.rankfeed.feeder.metrics;

import io.rankfeed.console.Log;
import io.rankfeed.schema.failure.ConfigException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --metrics} and {@code --metrics-token-file}. */
public final class MetricsOptions {
    /** The variable with the token, where no file has it. */
    public static final String TOKEN_VARIABLE = AccessToken.VARIABLE;

    @Option(
            names = "--metrics",
            paramLabel = "ADDR",
            description = "Serve metrics for Prometheus (/metrics), a status page (/), /healthz and /readyz at this"
                    + " host and port, as in 127.0.0.1:9464. Those that other machines can reach need a token."
                    + " Default: off.")
    @Nullable
    private String address;

    @Option(
            names = "--metrics-token-file",
            paramLabel = "FILE",
            description = "File with the token that requests must have, as a bearer token or as the password of any"
                    + " user. Default: $RANKFEED_METRICS_TOKEN, else none.")
    @Nullable
    private Path tokenFile;

    /** @throws ConfigException if the options cannot be served as written */
    public void check(Map<String, String> environment) {
        if (address != null) {
            MetricsServer.resolved(ListenAddress.parse(address), AccessToken.of(tokenFile, environment));
        } else if (tokenFile != null) {
            throw new ConfigException("--metrics-token-file needs --metrics; add it, as in --metrics 127.0.0.1:9464");
        }
    }

    /**
     * Serves, if the options say so.
     *
     * @param state reads the feeder; called by several threads
     */
    public Optional<MetricsServer> start(Map<String, String> environment, Supplier<NodeState> state, Log log) {
        check(environment);
        return Optional.ofNullable(address)
                .map(written -> MetricsServer.start(
                        ListenAddress.parse(written), AccessToken.of(tokenFile, environment), state, log));
    }
}
