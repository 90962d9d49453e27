/**
 * The version: reads the prepared table once, sends each planned row to its lane and has the lanes written. A unit of
 * work is one file of the cache, whatever the cluster; its bytes follow from plan, table and columns.
 *
 * <p>Not here: the bytes of a lane file and the commit (shard-export).
 *
 * <p>Step D of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.spark.export;

import org.jspecify.annotations.NullMarked;
