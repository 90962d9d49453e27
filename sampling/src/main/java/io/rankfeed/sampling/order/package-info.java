/**
 * The rows of every step and rank of a feed, as pure functions of its numbers, seed and step: permutations, combs, lanes, windows. This is
 * all that the feeder needs of sampling.
 *
 * <p>Not here: how the numbers are planned ({@code plan}); I/O, a clock, randomness without a key.
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.sampling.order;

import org.jspecify.annotations.NullMarked;
