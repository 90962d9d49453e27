/**
 * What people look at: tables, pages and pictures as text, JSON, HTML and SVG.
 *
 * <p>Not here: Spark, or reading of files.
 */
@NullMarked
package io.rankfeed.report;

import org.jspecify.annotations.NullMarked;
