/**
 * Brings what a node's ranks need of a version to its local disk, whole or not at all: part file, length, checksum,
 * fsync, rename, marker. The only package of the feeder that writes files of a cache.
 *
 * <p>Not here: reading of lanes ({@code cache}).
 *
 * <p>Step E of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.sync;

import org.jspecify.annotations.NullMarked;
