/**
 * Spark's Parquet reader: its types, the rows that it decodes at once, and single rows of a file.
 *
 * <p>Not here: footers (shard-export).
 */
@NullMarked
package io.rankfeed.spark.engine.parquet;

import org.jspecify.annotations.NullMarked;
