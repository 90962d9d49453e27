/**
 * The numbers of a feed from a request and the counts of its strata: quotas, margins, stages, shortages.
 *
 * <p>Not here: the rows that follow from the numbers ({@code order}); I/O, a clock, randomness without a key.
 *
 * <p>Step C of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.sampling.plan;

import org.jspecify.annotations.NullMarked;
