/**
 * What lies at a path, for people and as JSON: the {@code inspect} command over Parquet files of any origin, prepared
 * tables, plans, versions and whole datasets. It reads footers, manifests and orders through Hadoop's file systems, never
 * a row, starts no Spark session and writes nothing. Checking every byte is another command's work.
 */
@NullMarked
package io.rankfeed.spark.inspect;

import org.jspecify.annotations.NullMarked;
