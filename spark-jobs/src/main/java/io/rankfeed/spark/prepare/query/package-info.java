/**
 * The job's query before any row is written: its columns, its key, the order of its rows, and the units that follow.
 *
 * <p>Not here: packing of a row ({@code pack}), files ({@code write}).
 */
@NullMarked
package io.rankfeed.spark.prepare.query;

import org.jspecify.annotations.NullMarked;
