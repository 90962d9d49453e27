/**
 * JSON as it was written: trees whose numbers keep their text.
 *
 * <p>Not here: JSON lines ({@code source.jsonl}), files of this project ({@code schema.json}).
 */
@NullMarked
package io.rankfeed.spark.json;

import org.jspecify.annotations.NullMarked;
