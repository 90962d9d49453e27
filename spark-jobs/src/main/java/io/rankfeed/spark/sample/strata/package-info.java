/**
 * Strata and difficulty levels: expressions over metadata columns, their quantiles, and how many rows each has.
 *
 * <p>Not here: which rows a feed takes ({@code select}).
 */
@NullMarked
package io.rankfeed.spark.sample.strata;

import org.jspecify.annotations.NullMarked;
