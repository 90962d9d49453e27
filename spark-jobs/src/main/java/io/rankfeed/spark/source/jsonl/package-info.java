/** JSONL sources: lines, plain or compressed, parsed to the types of their schema, and the index of where lines begin. */
@NullMarked
package io.rankfeed.spark.source.jsonl;

import org.jspecify.annotations.NullMarked;
