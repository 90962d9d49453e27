/**
 * The process of a training node: sync, verify, map, order, assemble, ring. Never sees Spark or Hadoop.
 *
 * <p>Not here: anything but the start of a command.
 */
@NullMarked
package io.rankfeed.feeder;

import org.jspecify.annotations.NullMarked;
