/**
 * Makes the bytes of one batch from an order and mapped lanes: gathers rows into the tensors of a slot, or only
 * measures them. Does not use rings, sockets or file names; allocates nothing per batch.
 *
 * <p>Not here: which tensors a slot has ({@code tensor}), where batches go ({@code ring}, {@code serve}) and the format
 * of the cache ({@code schema.cache}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.batch;

import org.jspecify.annotations.NullMarked;
