/**
 * The entry point of the commands of a training node. No package of the feeder uses Spark, and only the optional clients of
 * remote stores use Hadoop.
 *
 * <p>Not here: the commands themselves ({@code cli}, {@code quickstart}).
 */
@NullMarked
package io.rankfeed.feeder;

import org.jspecify.annotations.NullMarked;
