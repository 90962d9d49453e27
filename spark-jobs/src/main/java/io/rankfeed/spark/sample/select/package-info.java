/** The rows of one feed: chosen, ranked within their strata, and listed in the plan's files. */
@NullMarked
package io.rankfeed.spark.sample.select;

import org.jspecify.annotations.NullMarked;
