package io.rankfeed.feeder.metrics;

import io.rankfeed.console.Log;
import io.rankfeed.schema.failure.EnvironmentException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Where a feeder listens, and the token that requests must have; the token file is read once for it. */
public record MetricsAccess(ListenAddress address, Optional<AccessToken> token) {
    /**
     * Serves. A feeder that was started again feeds without metrics where it cannot listen, as its trainers wait for it.
     *
     * @param isReady whether trainers can attach; called by several threads, as the next
     * @param state reads the feeder
     * @throws EnvironmentException if the first feeder of a run cannot listen
     */
    public Optional<MetricsServer> start(BooleanSupplier isReady, Supplier<NodeState> state, long restarts, Log log) {
        try {
            return Optional.of(MetricsServer.start(this, isReady, state, log));
        } catch (EnvironmentException e) {
            if (restarts == 0) {
                throw e;
            }
            log.warning(e.getMessage() + "; this feeder was started again, and feeds without metrics");
            return Optional.empty();
        }
    }
}
