/**
 * The jobs that Spark runs: prepare, sample, export, and what they share. The only module that sees Spark.
 *
 * <p>Not here: what a phase does ({@code prepare}, {@code sample}, {@code export}).
 */
@NullMarked
package io.rankfeed.spark;

import org.jspecify.annotations.NullMarked;
