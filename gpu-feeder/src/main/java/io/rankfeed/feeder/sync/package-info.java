/**
 * Copies the lanes of a node's ranks to its local disk, each file atomically: part file, length, checksum, fsync,
 * rename, marker. The only package of the feeder that writes files of a cache.
 *
 * <p>Not here: reading of lanes ({@code cache}).
 *
 * <p>Step E of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.sync;

import org.jspecify.annotations.NullMarked;
