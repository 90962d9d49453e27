/**
 * Access to the files of tables and artifacts where they are stored: one interface for jobs and feeder, and its implementation for
 * the file systems of this machine.
 *
 * <p>Not here: Hadoop's file systems ({@code shard-export}), stores with retries (the feeder), and writing.
 */
@NullMarked
package io.rankfeed.schema.store;

import org.jspecify.annotations.NullMarked;
