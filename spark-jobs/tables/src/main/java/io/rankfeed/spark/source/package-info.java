/**
 * Opens the sources of a job, and the files of a feed's list. Each source becomes a view, an identity for the manifest
 * and, if its format allows it, a stable address for every row.
 *
 * <p>Not here: formats (the packages below) and what is made of the rows ({@code prepare}).
 *
 * <p>Step A of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.spark.source;

import org.jspecify.annotations.NullMarked;
