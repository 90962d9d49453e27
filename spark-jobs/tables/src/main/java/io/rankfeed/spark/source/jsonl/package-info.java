/**
 * JSONL sources: lines, plain or compressed, parsed to the types of their schema, and the index of where lines begin.
 *
 * <p>Not here: metadata that chooses lines ({@code metadata}).
 */
@NullMarked
package io.rankfeed.spark.source.jsonl;

import org.jspecify.annotations.NullMarked;
