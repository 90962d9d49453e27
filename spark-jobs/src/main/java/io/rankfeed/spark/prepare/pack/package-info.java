/**
 * One row of the query becomes one row of the prepared table: tensors packed, key and address added, bad rows distinguished.
 *
 * <p>Not here: the order of rows, files.
 */
@NullMarked
package io.rankfeed.spark.prepare.pack;

import org.jspecify.annotations.NullMarked;
