/**
 * Opens versions: checks manifest and order against each other, maps and verifies lanes, and finds the record batch of
 * a row by division. Reads only: {@link io.rankfeed.feeder.sync} copies the files to this node, {@link
 * io.rankfeed.feeder.batch} copies rows out of them.
 *
 * <p>Not here: copying files to this node ({@code sync}) and assembling batches ({@code batch}).
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.cache;

import org.jspecify.annotations.NullMarked;
