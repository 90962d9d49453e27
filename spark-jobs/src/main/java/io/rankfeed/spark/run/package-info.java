/**
 * What all phases of a job share: the context they run in, the folders of a dataset, the commit of an artifact, run
 * facts, progress and named fault points; and what one phase hands to the next: the prepared table, and what its
 * columns' values are.
 *
 * <p>Not here: what a single phase does.
 */
@NullMarked
package io.rankfeed.spark.run;

import org.jspecify.annotations.NullMarked;
