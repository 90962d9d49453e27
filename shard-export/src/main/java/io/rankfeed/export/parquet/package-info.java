/**
 * The ends of Parquet files: footers checked against their file before anything trusts them, and the streams that our own
 * Parquet files are written to.
 *
 * <p>Not here: rows. Spark decodes and encodes those.
 */
@NullMarked
package io.rankfeed.export.parquet;

import org.jspecify.annotations.NullMarked;
