/**
 * Threads that share the work of a batch.
 *
 * <p>Not here: the work ({@code batch}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.pool;

import org.jspecify.annotations.NullMarked;
