/** JSONL sources whose lines are chosen by the feeds before their content is read. */
@NullMarked
package io.rankfeed.spark.source.metadata;

import org.jspecify.annotations.NullMarked;
