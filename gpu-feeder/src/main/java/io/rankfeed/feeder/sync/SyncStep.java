package io.rankfeed.feeder.sync;

/** The moments of a sync at which a crash leaves something different behind. */
public enum SyncStep {
    LOCKED,
    CHUNK_WRITTEN,
    PART_WRITTEN,
    PART_VERIFIED,
    RENAMED,
    MARKED,
    MANIFEST_WRITTEN;

    /** Receives every step; what it throws ends the sync. */
    @FunctionalInterface
    public interface Listener {
        Listener NONE = (step, path) -> {};

        /** @param path relative to the version's folder */
        void reached(SyncStep step, String path);
    }
}
