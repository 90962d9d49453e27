/**
 * What limits a feed, by its stage timers: the times of a measured stretch, what follows from them, and how that is shown.
 *
 * <p>Not here: the timers ({@code timing}), the decision which stage limits ({@code timing.Bottleneck}), and what is wrong with the
 * machine ({@code machine}).
 */
@NullMarked
package io.rankfeed.feeder.diagnose;

import org.jspecify.annotations.NullMarked;
