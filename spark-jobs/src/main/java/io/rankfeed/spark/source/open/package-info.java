/** What every source gives, whatever its format: rows with addresses, files, columns. */
@NullMarked
package io.rankfeed.spark.source.open;

import org.jspecify.annotations.NullMarked;
