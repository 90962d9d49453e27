/**
 * The plan: the rows of the prepared table that each feed has, and their lanes. Only metadata columns are read.
 * Everything here is a function of the table, the job and the seed: no partition number, no task order and no cluster
 * setting reaches a result.
 *
 * <p>Not here: arithmetic of plans (the module sampling).
 *
 * <p>Step C of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.spark.sample;

import org.jspecify.annotations.NullMarked;
