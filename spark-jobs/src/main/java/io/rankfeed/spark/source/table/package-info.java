/** Tables of a catalog or a log: Hive and Delta. */
@NullMarked
package io.rankfeed.spark.source.table;

import org.jspecify.annotations.NullMarked;
