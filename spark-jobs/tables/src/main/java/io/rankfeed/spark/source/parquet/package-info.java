/**
 * Parquet sources: footers of all files compared, and files that differ from the first one left out or refused.
 *
 * <p>Not here: checks of a single footer (shard-export).
 */
@NullMarked
package io.rankfeed.spark.source.parquet;

import org.jspecify.annotations.NullMarked;
