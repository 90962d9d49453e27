package io.rankfeed.feeder.ring;

/**
 * The fields of a slot's descriptor that describe its batch, without the sizes of the columns.
 *
 * @param validRows 0 … maxRows
 * @param stream the SEEK that this batch follows, 0 before the first
 */
public record SlotFacts(long globalStep, int epoch, int stepInEpoch, int validRows, int stream) {}
