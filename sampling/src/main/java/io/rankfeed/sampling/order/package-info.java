/**
 * The rows of every step and rank of a feed, as pure functions of its numbers, seed and step: permutations, combs, lanes, windows. This is
 * all that the feeder needs of sampling. How the numbers are planned is in {@code plan}. No I/O, no clock, no randomness without a key.
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.sampling.order;

import org.jspecify.annotations.NullMarked;
