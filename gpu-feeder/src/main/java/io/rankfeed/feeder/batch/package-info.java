/**
 * From an order and mapped lanes to the bytes of one batch: which tensors a slot holds and where, and the gathering of
 * rows into it. Knows no ring, no socket and no file name; allocates nothing per batch.
 *
 * <p>Not here: where batches go ({@code ring}, {@code serve}) and the format of the cache ({@code schema.cache}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.batch;

import org.jspecify.annotations.NullMarked;
