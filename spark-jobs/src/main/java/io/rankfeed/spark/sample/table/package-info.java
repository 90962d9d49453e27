/**
 * A prepared table as sampling sees it: metadata columns, keys and positions of rows, for tables that are prepared
 * artifacts and for tables in place.
 *
 * <p>Not here: which rows are chosen.
 */
@NullMarked
package io.rankfeed.spark.sample.table;

import org.jspecify.annotations.NullMarked;
