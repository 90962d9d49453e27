/**
 * The commands of a training node: their options, feed files, reports and printed output.
 *
 * <p>Not here: bytes of a cache and frames of a ring.
 */
@NullMarked
package io.rankfeed.feeder.cli;

import org.jspecify.annotations.NullMarked;
