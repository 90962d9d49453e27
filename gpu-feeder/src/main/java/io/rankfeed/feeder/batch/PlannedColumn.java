package io.rankfeed.feeder.batch;

/**
 * A tensor and where its rows come from.
 *
 * @param source name of the cache's column
 * @param padBits the pad element in the low bytes; 0 where nothing is padded
 */
record PlannedColumn(TensorSpec tensor, String source, long padBits) {}
