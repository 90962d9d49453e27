package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.ring.RingSegment;
import io.rankfeed.feeder.serve.protocol.Hello;

/** The objects of a session whose HELLO was accepted. */
public record Attachment(
        Hello hello,
        FeedFacts facts,
        BatchSource source,
        RingSegment segment,
        long generation,
        Meter meter,
        ReadAhead readAhead) {
    public RankFeed key() {
        return new RankFeed(hello.rank(), facts.name());
    }
}
