/**
 * The jobs that Spark runs: prepare, sample, export, and what they share. The only module that sees Spark.
 */
@NullMarked
package io.rankfeed.spark;

import org.jspecify.annotations.NullMarked;
