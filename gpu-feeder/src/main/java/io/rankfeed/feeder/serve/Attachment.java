package io.rankfeed.feeder.serve;

import io.rankfeed.feeder.ring.RingSegment;

/** What a session has once its HELLO was accepted. */
record Attachment(Hello hello, FeedFacts facts, BatchSource source, RingSegment segment, long generation, Meter meter) {
    RankFeed key() {
        return new RankFeed(hello.rank(), facts.name());
    }
}
