/**
 * Makes the prepared table from sources: the query and its provenance, row ids, packing of lists, units of work that
 * depend on the input alone, and files of one row group that fit a block.
 *
 * <p>Not here: what a source is ({@code source}).
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.spark.prepare;

import org.jspecify.annotations.NullMarked;
