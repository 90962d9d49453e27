/**
 * The interface of an open source, which is the same for every format: rows with addresses, files, columns, partition
 * folders.
 *
 * <p>Not here: formats.
 */
@NullMarked
package io.rankfeed.spark.source.open;

import org.jspecify.annotations.NullMarked;
