package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ErrorList;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Collects the configuration errors of a job, those that Spark finds too. */
public final class ConfigErrors extends ErrorList {
    @Override
    public <T> Optional<T> of(Supplier<T> attempt) {
        return super.of(() -> SparkFailures.locating(attempt, UnaryOperator.identity()));
    }
}
