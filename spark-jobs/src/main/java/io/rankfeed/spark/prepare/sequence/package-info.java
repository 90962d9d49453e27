/**
 * Rows of tokens become sequences of rows ({@code prepare.pack}): which rows share one, and the columns of a sequence.
 *
 * <p>Not here: how one row is packed to bytes ({@code prepare.pack}), labels and positions of a sequence (the feeder's {@code text}).
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.spark.prepare.sequence;

import org.jspecify.annotations.NullMarked;
