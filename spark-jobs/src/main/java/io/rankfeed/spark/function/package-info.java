/**
 * The SQL functions {@code rf_…}, for every query and condition of a job (docs/functions.md). A function returns the same
 * value for the same arguments on every machine, so that artifacts are reproducible. Each is a {@code ScalarFunction} of
 * Spark's connector interface; {@link io.rankfeed.spark.function.JobFunctions} lists the functions of a job.
 *
 * <p>Not here: registration with Spark ({@code engine}) and decoding of images ({@code schema.image}).
 */
@NullMarked
package io.rankfeed.spark.function;

import org.jspecify.annotations.NullMarked;
