/**
 * What people look at: tables, pages and pictures as text, JSON, HTML and SVG.
 *
 * <p>Not here: Spark, or reading of an artifact ({@code inspect}).
 */
@NullMarked
package io.rankfeed.spark.report;

import org.jspecify.annotations.NullMarked;
