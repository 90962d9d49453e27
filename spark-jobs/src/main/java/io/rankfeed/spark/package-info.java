/**
 * The jobs that Spark runs: prepare, sample, export, and what they share.
 *
 * <p>Not here: what a phase does ({@code prepare}, {@code sample}, {@code export}), and how Spark reads tables (the module
 * {@code tables}).
 */
@NullMarked
package io.rankfeed.spark;

import org.jspecify.annotations.NullMarked;
