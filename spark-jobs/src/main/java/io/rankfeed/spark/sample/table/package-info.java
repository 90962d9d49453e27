/**
 * A prepared table as sampling sees it: metadata columns, keys and the positions of rows, wherever the rows are stored.
 *
 * <p>Not here: which rows are chosen.
 */
@NullMarked
package io.rankfeed.spark.sample.table;

import org.jspecify.annotations.NullMarked;
