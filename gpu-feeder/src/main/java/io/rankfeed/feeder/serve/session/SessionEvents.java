package io.rankfeed.feeder.serve.session;

import io.rankfeed.console.LogEvent;
import io.rankfeed.feeder.serve.admission.FeedFacts;
import io.rankfeed.feeder.serve.admission.FeedStage;
import io.rankfeed.feeder.serve.admission.RankFeed;
import io.rankfeed.feeder.serve.protocol.Hello;

/** Events of sessions in the log (docs/reference/log.md). */
final class SessionEvents {
    private SessionEvents() {}

    static LogEvent attached(RankFeed key, Hello hello) {
        String at = hello.step() == 0 ? "" : ", step " + hello.step();
        return LogEvent.info(key + " attached (pid " + hello.pid() + ", world " + hello.world() + at + ")")
                .with("feed", key.feed())
                .with("rank", key.rank())
                .with("world", hello.world())
                .with("pid", hello.pid())
                .with("step", hello.step());
    }

    static LogEvent began(FeedFacts facts, FeedStage stage) {
        int epoch = facts.feed().epochAt(stage.step());
        return LogEvent.info(facts.name() + ": stage " + stage.stage() + " begins at step " + stage.step() + " (epoch "
                        + epoch + "), batches of " + stage.batch() + " rows")
                .with("feed", facts.name())
                .with("stage", stage.stage())
                .with("step", stage.step())
                .with("epoch", epoch)
                .with("batch", stage.batch());
    }

    static LogEvent ended(int rank, String what, String why) {
        return LogEvent.warning(what + ": " + why).with("rank", rank);
    }
}
