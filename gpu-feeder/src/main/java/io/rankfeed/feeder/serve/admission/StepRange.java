package io.rankfeed.feeder.serve.admission;

/** A range of steps [from, to), each of which was taken once. */
public record StepRange(long from, long to) {}
