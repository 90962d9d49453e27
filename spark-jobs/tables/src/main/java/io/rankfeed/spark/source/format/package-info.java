/**
 * Tables in ORC, Avro, CSV and Arrow files: each file's header or footer is read before Spark plans a task, and the
 * number of rows that are read is compared with it.
 *
 * <p>Not here: ORC's footers ({@code engine.orc}), lines of text and JSON ({@code jsonl}).
 */
@NullMarked
package io.rankfeed.spark.source.format;

import org.jspecify.annotations.NullMarked;
