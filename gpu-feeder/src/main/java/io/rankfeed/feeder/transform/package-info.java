/**
 * Makes images for slots from rows of the cache: pipelines of steps, which are pure functions of (row, transform seed,
 * index of the step, row id, cycle) and are checked against the version's schema before the first batch.
 *
 * <p>Not here: the steps ({@code step}) and which rows are in a batch ({@code batch}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.transform;

import org.jspecify.annotations.NullMarked;
