/**
 * Quotas, curriculum, permutations, lanes and the order of every step, as pure functions of plan, seed and step.
 * No I/O, no clock, no randomness that is not keyed, no Spark.
 *
 * <p>Steps C (the numbers) and F (the rows that follow from them) of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.sampling;

import org.jspecify.annotations.NullMarked;
