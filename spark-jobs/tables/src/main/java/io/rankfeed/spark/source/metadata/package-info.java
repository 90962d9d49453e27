/**
 * JSONL sources whose lines are chosen by the feeds before their content is read.
 *
 * <p>Not here: the choice itself ({@code sample}).
 */
@NullMarked
package io.rankfeed.spark.source.metadata;

import org.jspecify.annotations.NullMarked;
