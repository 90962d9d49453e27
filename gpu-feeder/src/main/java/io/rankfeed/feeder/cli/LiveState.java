package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.metrics.NodeState;
import io.rankfeed.feeder.serve.FeedServer;
import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.sync.SyncStep;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The state of this feeder, from before the copy of its version until its end. */
final class LiveState implements SyncStep.Listener {
    private final NodeFeed feed;
    private final FeedService service;
    private final String run;
    private final long restarts;
    private final AtomicLong plannedBytes = new AtomicLong();
    private final AtomicLong handledBytes = new AtomicLong();
    private final AtomicLong laneBytes = new AtomicLong();

    LiveState(NodeFeed feed, FeedService service, long restarts) {
        this.feed = feed;
        this.service = service;
        this.restarts = restarts;
        run = feed.rendezvous().run();
    }

    @Override
    public void reached(SyncStep step, String path) {}

    @Override
    public void planned(long bytes) {
        plannedBytes.addAndGet(bytes);
    }

    @Override
    public void handled(long bytes) {
        handledBytes.addAndGet(bytes);
    }

    /** The size of the lanes that are mapped; it is computed once, as a version may have many files. */
    private long mappedBytes() {
        if (laneBytes.get() == 0 && service.server().isPresent()) {
            laneBytes.set(feed.source().laneBytes(feed.plan().lanes()));
        }
        return laneBytes.get();
    }

    /** Whether trainers can attach; any thread may ask. */
    boolean isReady() {
        return service.server().isPresent() && !service.isStopping();
    }

    /** The state now; any thread may ask for it. */
    NodeState read() {
        long planned = plannedBytes.get();
        return new NodeState(
                isReady(),
                feed.source().id(),
                feed.source().order().plan(),
                run,
                restarts,
                mappedBytes(),
                new NodeState.Sync(planned, Math.clamp(handledBytes.get(), 0, planned)),
                service.server().map(FeedServer::ranks).orElse(List.of()),
                service.catalog().map(VersionCatalog::rejections).orElse(Map.of()),
                service.catalog().map(VersionCatalog::decoderMessages).orElse(Map.of()));
    }
}
