/**
 * Tables of a catalog or a log: Hive and Delta.
 *
 * <p>Not here: plans of Spark ({@code engine}).
 */
@NullMarked
package io.rankfeed.spark.source.table;

import org.jspecify.annotations.NullMarked;
