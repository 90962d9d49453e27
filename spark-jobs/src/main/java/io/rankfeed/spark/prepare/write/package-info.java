/**
 * The rows of a unit become Parquet files of one row group each, cut to the block size.
 *
 * <p>Not here: which rows a unit has ({@code query}).
 */
@NullMarked
package io.rankfeed.spark.prepare.write;

import org.jspecify.annotations.NullMarked;
