/**
 * The kinds of failure that rankfeed distinguishes, one exit code each, and the wording of suggestions. A message is
 * written where the failure is found.
 *
 * <p>Not here: Spark's exceptions ({@code spark.engine.SparkFailures}).
 */
@NullMarked
package io.rankfeed.schema.failure;

import org.jspecify.annotations.NullMarked;
