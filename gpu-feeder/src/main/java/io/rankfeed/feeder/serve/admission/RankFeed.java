package io.rankfeed.feeder.serve.admission;

import java.util.Comparator;

/** A rank and a feed; each pair has one ring. */
public record RankFeed(int rank, String feed) implements Comparable<RankFeed> {
    private static final Comparator<RankFeed> ORDER =
            Comparator.comparing(RankFeed::feed).thenComparingInt(RankFeed::rank);

    @Override
    public int compareTo(RankFeed other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return feed + " of rank " + rank;
    }
}
