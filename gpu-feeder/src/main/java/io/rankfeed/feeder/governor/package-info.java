/**
 * Changes settings of a feed while it runs: how many threads help with a batch, and how many batches are ready ahead of a trainer.
 * The decision is a pure function of the stage timers of a window and of what was decided before.
 *
 * <p>Not here: the timers ({@code timing}), what limits a feed and the settings to begin with ({@code diagnose}), the threads
 * ({@code pool}), and the slots of a ring ({@code serve.admission}).
 */
@NullMarked
package io.rankfeed.feeder.governor;

import org.jspecify.annotations.NullMarked;
