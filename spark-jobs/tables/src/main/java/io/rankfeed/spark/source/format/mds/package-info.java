/**
 * MDS of MosaicML Streaming: the shards that {@code index.json} lists.
 *
 * <p>Not here: the shards that {@code export.formats} writes ({@code io.rankfeed.export.format.record}).
 */
@NullMarked
package io.rankfeed.spark.source.format.mds;

import org.jspecify.annotations.NullMarked;
