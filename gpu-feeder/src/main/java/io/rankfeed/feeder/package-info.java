/**
 * The process of a training node: sync, verify, map, order, assemble, ring. Never sees Spark or Hadoop.
 */
@NullMarked
package io.rankfeed.feeder;

import org.jspecify.annotations.NullMarked;
