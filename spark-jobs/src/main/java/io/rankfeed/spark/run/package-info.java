/**
 * Parts that all commands and phases of the jobs share: the Spark session, the context of a job, the folders of a
 * dataset, the sequence of a phase from its inputs to a committed artifact, run facts ({@code run.json}), differences
 * between two jobs, and progress; and the prepared table, which prepare passes to sample and export.
 *
 * <p>Not here: what a single phase does ({@code prepare}, {@code sample}, {@code export}).
 */
@NullMarked
package io.rankfeed.spark.run;

import org.jspecify.annotations.NullMarked;
