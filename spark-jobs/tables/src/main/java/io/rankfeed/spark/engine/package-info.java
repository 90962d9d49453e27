/**
 * The only code that uses Spark's internals: its analyzer's plans, its physical operators, its Parquet reader and its function
 * registry. A new release of Spark is ported here.
 *
 * <p>Not here: decisions of the jobs. Other packages use Spark's public API, and the row classes (InternalRow, UnsafeRow) that
 * its connector API passes on.
 */
@NullMarked
package io.rankfeed.spark.engine;

import org.jspecify.annotations.NullMarked;
