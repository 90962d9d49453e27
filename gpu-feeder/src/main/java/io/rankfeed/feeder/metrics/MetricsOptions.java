package io.rankfeed.feeder.metrics;

import io.rankfeed.schema.failure.ConfigException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
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
                    + " host and port, as in 127.0.0.1:9464. An address that is not loopback requires a token."
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

    /**
     * Reads the options and the token, once; empty where nothing is to be served.
     *
     * @throws ConfigException if the options cannot be served as written
     */
    public Optional<MetricsAccess> parse(Map<String, String> environment) {
        if (address != null) {
            MetricsAccess access =
                    new MetricsAccess(ListenAddress.parse(address), AccessToken.of(tokenFile, environment));
            MetricsServer.resolved(access);
            return Optional.of(access);
        }
        if (tokenFile != null) {
            throw new ConfigException(
                    "--metrics-token-file requires --metrics; add it, as in --metrics 127.0.0.1:9464");
        }
        return Optional.empty();
    }
}
