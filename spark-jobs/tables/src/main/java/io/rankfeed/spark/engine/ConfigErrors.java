package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Collects the configuration errors of a job, so that all of them are reported at once. */
public final class ConfigErrors {
    private final List<ConfigException> found = new ArrayList<>();

    /** Does something; where that is refused, keeps the refusal. Other failures pass. */
    public void check(Runnable attempt) {
        of(() -> {
            attempt.run();
            return true;
        });
    }

    /** Computes a result; if that is refused, keeps the refusal and returns empty. Other failures pass. */
    public <T> Optional<T> of(Supplier<T> attempt) {
        try {
            return Optional.of(attempt.get());
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them.
            RuntimeException known = SparkFailures.translated(e);
            if (known instanceof ConfigException refusal) {
                found.add(refusal);
                return Optional.empty();
            }
            throw known;
        }
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** @throws ConfigException the first refusal, the others {@linkplain Throwable#getSuppressed suppressed} in it */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            ConfigException first = found.get(0);
            found.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    /** A failure and the refusals that came with it, each to be reported on a line of its own. */
    public static Stream<Throwable> all(Throwable failure) {
        return Stream.concat(
                Stream.of(failure),
                Arrays.stream(failure.getSuppressed())
                        .filter(ConfigException.class::isInstance)
                        .flatMap(ConfigErrors::all));
    }
}
