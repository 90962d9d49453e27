/**
 * The numbers of a feed from a request and the counts of its strata: quotas, margins, stages, shortages. The rows that follow from the
 * numbers are in {@code order}. No I/O, no clock, no randomness without a key.
 *
 * <p>Step C of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.sampling.plan;

import org.jspecify.annotations.NullMarked;
