/**
 * The job's query before any row is written: its columns, its key, the order of its rows, and the units that follow.
 *
 * <p>{@link io.rankfeed.spark.prepare.query.Reading} assigns rows to their units. A query that only selects and filters one Parquet
 * source is read in its order: Spark's own scan is cut into ranges of files, and a task reads those of its unit one after the
 * other. There is no shuffle and no sort, and no counting pass if every row is taken, because the footers have the counts. Rows
 * that pass a join, and units that would read a row group twice, are shuffled by the same ranges. Both ways write the same files.
 *
 * <p>A table of B blocks has √B units, and from 400 blocks on one for each 20 ({@link
 * io.rankfeed.spark.prepare.query.UnitPlanner}). So a table of 2 GB keeps four cores busy, and the tails of units, which few
 * tasks write a second time, are at most half a block in √B.
 *
 * <p>Not here: packing of a row ({@code pack}), files ({@code write}).
 */
@NullMarked
package io.rankfeed.spark.prepare.query;

import org.jspecify.annotations.NullMarked;
