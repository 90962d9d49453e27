/**
 * How long the stages of a feed take: timers that the feeder and its client share through the ring file, which stage limits the feed, and
 * what helps against that.
 *
 * <p>Not here: the offset of the table in the file ({@code ring}), and the code that is timed.
 */
@NullMarked
package io.rankfeed.feeder.timing;

import org.jspecify.annotations.NullMarked;
