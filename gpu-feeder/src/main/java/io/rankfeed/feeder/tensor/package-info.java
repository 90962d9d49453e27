/**
 * Which tensors a slot holds and where, from what a trainer or a feed file asks for: arithmetic over the schema, without a cache or a ring.
 *
 * <p>Not here: the rows ({@code batch}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.tensor;

import org.jspecify.annotations.NullMarked;
