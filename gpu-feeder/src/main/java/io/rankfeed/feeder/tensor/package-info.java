/**
 * Computes the tensors of a slot and their offsets from the request of a trainer or a feed file: arithmetic over the schema, without a
 * cache or a ring.
 *
 * <p>Not here: the rows ({@code batch}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.tensor;

import org.jspecify.annotations.NullMarked;
