/**
 * Reports for users: lines, tables and pictures, as text, JSON, HTML and SVG, about artifacts, plans and simulated
 * runs.
 *
 * <p>Not here: Spark, or reading of files.
 */
@NullMarked
package io.rankfeed.report;

import org.jspecify.annotations.NullMarked;
