package io.rankfeed.feeder.cli;

import io.rankfeed.console.LogLines;
import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import io.rankfeed.feeder.sync.CacheFolder;
import io.rankfeed.feeder.sync.SyncRequest;
import io.rankfeed.feeder.sync.SyncStep;
import io.rankfeed.feeder.sync.VersionSync;
import java.nio.file.Path;

/** A version that a node is about to feed by the flags of a command: where it is, where it is copied to, and its run. */
final class NodeFeed {
    private static final String SHARED_MEMORY_PROPERTY = "rankfeed.shm";

    private final FeedFlags flags;
    private final ArtifactSource artifact;
    private final OpenVersion source;
    private final FeedPlan plan;

    /** @param version as the user wrote it */
    NodeFeed(FeedFlags flags, String version) {
        this.flags = flags;
        artifact = VersionLocation.of(version);
        plan = new FeedPlan(flags);
        source = plan.open(artifact);
    }

    OpenVersion source() {
        return source;
    }

    FeedPlan plan() {
        return plan;
    }

    /** The sockets of the run that the flags name, else of the version. */
    Rendezvous rendezvous() {
        String named = flags.run;
        return Rendezvous.of(named == null ? source.manifest().id() : named, System.getenv());
    }

    /** Copies the version if it is not read in place. */
    Path sync(LogLines log) {
        return sync(log, SyncStep.Listener.NONE);
    }

    /** Copies the version if it is not read in place, and reports the bytes. */
    Path sync(LogLines log, SyncStep.Listener listener) {
        return VersionSync.run(new SyncRequest(
                artifact,
                cacheFolder(flags),
                plan.lanes(),
                flags.isInPlace ? SyncRequest.Mode.IN_PLACE : SyncRequest.Mode.COPY,
                Math.max(1, plan.workers()),
                log,
                flags.progress(),
                listener));
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
