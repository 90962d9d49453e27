/**
 * The plan: which rows of the prepared table each feed sees and where they will be. Reads metadata columns only; the
 * arithmetic of the order is the sampling module's. Everything here is a function of the table, the job and the seed:
 * no partition number, no task order and no cluster setting reaches a result.
 *
 * <p>Not here: arithmetic of plans (the module sampling).
 *
 * <p>Step C of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.spark.sample;

import org.jspecify.annotations.NullMarked;
