package io.rankfeed.feeder.ring;

/**
 * What a slot's descriptor says of the batch in it, but for the columns' sizes.
 *
 * @param validRows 0 … maxRows
 * @param stream the SEEK that this batch follows, 0 before the first
 */
public record SlotFacts(long globalStep, int epoch, int stepInEpoch, int validRows, int stream) {}
