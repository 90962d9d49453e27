/**
 * Arrow IPC files and streams, read without Arrow's Java library: that trusts lengths, takes a truncated stream for complete, and is
 * relocated in the jar of the jobs.
 *
 * <p>Not here: the Arrow files of a version ({@code io.rankfeed.schema.cache}).
 */
@NullMarked
package io.rankfeed.spark.source.format.arrow;

import org.jspecify.annotations.NullMarked;
