package io.rankfeed.feeder.cli;

import io.rankfeed.console.LogLines;
import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import io.rankfeed.feeder.sync.CacheFolder;
import io.rankfeed.feeder.sync.SyncRequest;
import io.rankfeed.feeder.sync.SyncStep;
import io.rankfeed.feeder.sync.VersionSync;
import java.nio.file.Path;

/** A version or mixture that a node is about to feed by the flags of a command: where it is, where it is copied to, and its run. */
final class NodeFeed {
    private static final String SHARED_MEMORY_PROPERTY = "rankfeed.shm";

    private final FeedFlags flags;
    private final OpenOrder source;
    private final FeedPlan plan;

    /** @param version as the user wrote it */
    NodeFeed(FeedFlags flags, String version) {
        this.flags = flags;
        plan = new FeedPlan(flags);
        source = flags.external.applied(plan.open(version));
    }

    OpenOrder source() {
        return source;
    }

    FeedPlan plan() {
        return plan;
    }

    /** The sockets of the run that the flags name, else of the version or mixture. */
    Rendezvous rendezvous() {
        String named = flags.run;
        return Rendezvous.of(named == null ? source.id() : named, System.getenv());
    }

    /** Copies the versions if they are not read in place; returns what is on this node then. */
    OpenOrder sync(LogLines log) {
        return sync(log, SyncStep.Listener.NONE);
    }

    /** Copies the versions if they are not read in place, and reports the bytes. */
    OpenOrder sync(LogLines log, SyncStep.Listener listener) {
        return source.moved(
                plan.lanes(),
                (version, lanes) -> version.movedTo(VersionSync.run(request(version.source(), lanes, log, listener))));
    }

    private SyncRequest request(ArtifactSource version, LaneSelection lanes, LogLines log, SyncStep.Listener listener) {
        return new SyncRequest(
                version,
                cacheFolder(flags),
                lanes,
                flags.isInPlace ? SyncRequest.Mode.IN_PLACE : SyncRequest.Mode.COPY,
                Math.max(1, plan.workers()),
                log,
                flags.progress(),
                listener);
    }

    static Path cacheFolder(FeedFlags flags) {
        return flags.cache != null ? flags.cache.toAbsolutePath().normalize() : CacheFolder.of(System.getenv());
    }

    /** Returns the folder of segments. Trainers accept only /dev/shm; tests use a folder of their own. */
    static SharedMemory memory() {
        String folder = System.getProperty(SHARED_MEMORY_PROPERTY);
        return folder == null ? SharedMemory.ofSystem() : new SharedMemory(Path.of(folder));
    }
}
