/**
 * Writers of artifacts that do not depend on Spark: lane files, atomic commits, Parquet footers, metadata of other formats.
 *
 * <p>Not here: Spark, sampling, and decisions which rows are written.
 */
@NullMarked
package io.rankfeed.export;

import org.jspecify.annotations.NullMarked;
