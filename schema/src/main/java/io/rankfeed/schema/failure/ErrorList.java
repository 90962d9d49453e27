package io.rankfeed.schema.failure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Collects the configuration errors of a job, so that all of them are reported at once. */
public class ErrorList {
    private final List<ConfigException> found = new ArrayList<>();

    /** Does something, and keeps its configuration error if it has one. Other failures pass. */
    public final void check(Runnable attempt) {
        of(() -> {
            attempt.run();
            return true;
        });
    }

    /** Computes a result; returns empty and keeps the error if it is a configuration error. Other failures pass. */
    public <T> Optional<T> of(Supplier<T> attempt) {
        try {
            return Optional.of(attempt.get());
        } catch (ConfigException e) {
            found.add(e);
            return Optional.empty();
        }
    }

    public final boolean isEmpty() {
        return found.isEmpty();
    }

    /** @throws ConfigException the first error, the others {@linkplain Throwable#getSuppressed suppressed} in it */
    public final void throwIfAny() {
        if (!found.isEmpty()) {
            ConfigException first = found.get(0);
            found.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    /** A failure and the configuration errors that were found with it, each to be reported on a line of its own. */
    public static Stream<Throwable> all(Throwable failure) {
        return Stream.concat(
                Stream.of(failure),
                Arrays.stream(failure.getSuppressed())
                        .filter(ConfigException.class::isInstance)
                        .flatMap(ErrorList::all));
    }
}
