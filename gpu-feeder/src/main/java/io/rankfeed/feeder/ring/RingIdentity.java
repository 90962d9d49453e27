package io.rankfeed.feeder.ring;

/**
 * What a segment's header says it is.
 *
 * @param plan id, 16 hex digits
 * @param version id, 16 hex digits
 * @param maxRows rows of a full batch of this rank
 */
public record RingIdentity(
        String plan, String version, String feed, int rank, int world, int maxRows, long generation) {}
