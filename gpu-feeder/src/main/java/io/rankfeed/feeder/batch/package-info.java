/**
 * From an order and mapped lanes to the bytes of one batch: the gathering of rows into the tensors of a slot. Knows no
 * ring, no socket and no file name; allocates nothing per batch.
 *
 * <p>Not here: which tensors a slot has ({@code tensor}), where batches go ({@code ring}, {@code serve}) and the format
 * of the cache ({@code schema.cache}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.batch;

import org.jspecify.annotations.NullMarked;
