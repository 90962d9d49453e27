/**
 * What every source gives, whatever its format: rows with addresses, files, columns.
 *
 * <p>Not here: formats.
 */
@NullMarked
package io.rankfeed.spark.source.open;

import org.jspecify.annotations.NullMarked;
