/**
 * A version on a local disk, opened and mapped: manifest and order checked against each other, lanes addressed by
 * division. Reads only; what brings the files here is {@link io.rankfeed.feeder.sync}, what copies rows out of them is
 * {@link io.rankfeed.feeder.batch}.
 *
 * <p>Not here: copying files to this node ({@code sync}) and assembling batches ({@code batch}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.cache;

import org.jspecify.annotations.NullMarked;
