/**
 * ORC as Spark reads it.
 *
 * <p>Not here: sources ({@code source.format}).
 */
@NullMarked
package io.rankfeed.spark.engine.orc;

import org.jspecify.annotations.NullMarked;
