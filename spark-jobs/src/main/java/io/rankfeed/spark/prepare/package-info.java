/**
 * Makes the prepared table from sources: the query and its provenance, row ids, packing of lists, units of work that
 * depend on the input alone, and files of one row group that fit a block.
 *
 * <p>A unit is a task range. Units are functions of the input and the job, never of cores or partitions, so the bytes of a
 * table are always the same. Names and lengths of the input's files are not enough to fill blocks: the number of rows that
 * pass the query is counted, and the first rows are encoded as a sample.
 *
 * <p>Some rows leave the order of the source, to fill blocks. Code that needs the table's order ({@code sequential}, {@code
 * order: planned}) uses {@code _source} and {@code _source_row}, which state where each row came from. Delta has no row
 * address in this version of Spark: its rows have −1 there.
 *
 * <p>A column is nullable only if it has a null, so that a trainer gets a {@code .valid} column only where it is needed. Two
 * versions of a growing table can therefore differ in the nullability of a field. The manifest states it, and the client's
 * columns follow it.
 *
 * <p>Not here: what a source is ({@code source}).
 *
 * <p>Step B of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.spark.prepare;

import org.jspecify.annotations.NullMarked;
