package io.rankfeed.feeder.sync;

import io.rankfeed.console.Log;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.LaneSelection;
import java.nio.file.Path;

/**
 * The version and lanes to sync, and the log for progress.
 *
 * @param version folder of the version
 * @param cacheFolder the node's cache directory
 * @param threads number of files that are copied or hashed at the same time
 * @param log where progress and waiting are reported; standard output belongs to what a command prints
 */
public record SyncRequest(
        ArtifactSource version,
        Path cacheFolder,
        LaneSelection lanes,
        Mode mode,
        int threads,
        Log log,
        ProgressStyle style,
        SyncStep.Listener listener) {
    /** The location that the feeder reads from. */
    public enum Mode {
        /** Read from a copy in the cache directory: for any source except a fast local disk. */
        COPY,
        /** Read from the version itself, which must be a folder of this node; its files are hashed there. */
        IN_PLACE
    }
}
