/**
 * The rows of one feed: chosen, ranked within their strata, and listed in the plan's files.
 *
 * <p>Not here: how many rows a stratum gives ({@code job.plan}, the module sampling).
 */
@NullMarked
package io.rankfeed.spark.sample.select;

import org.jspecify.annotations.NullMarked;
