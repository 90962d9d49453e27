/**
 * What is at a path, for users and as JSON: the {@code inspect} command over Parquet files of any origin, prepared
 * tables, plans, versions and whole datasets, and {@code simulate}, which walks through a plan. They read footers,
 * manifests and orders through Hadoop's file systems, never a row, start no Spark session, and write nothing but pictures
 * that are asked for. Checking every byte is another command's work.
 *
 * <p>Not here: the form of a report ({@code report}).
 */
@NullMarked
package io.rankfeed.spark.inspect;

import org.jspecify.annotations.NullMarked;
