/**
 * Tables in ORC, Avro, CSV and Arrow files: what each file states of itself is read before Spark plans a task, and the rows that
 * are read are counted against it.
 *
 * <p>Not here: the readers of Spark ({@code engine.format}), lines of text and JSON ({@code jsonl}).
 */
@NullMarked
package io.rankfeed.spark.source.format;

import org.jspecify.annotations.NullMarked;
