package io.rankfeed.feeder.serve.admission;

/**
 * A feed in numbers.
 *
 * @param kind {@code train} or {@code sequential}
 * @param epochs of the run; 1 where sequential
 * @param batch rows of a global batch
 * @param poolRows rows of the feed
 */
public record FeedFacts(String name, String kind, long epochs, long stepsPerEpoch, long batch, long poolRows) {
    public long totalSteps() {
        return epochs * stepsPerEpoch;
    }
}
