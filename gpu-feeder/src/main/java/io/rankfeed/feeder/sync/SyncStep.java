package io.rankfeed.feeder.sync;

/** The steps of a sync; a crash after each of them leaves different files. */
public enum SyncStep {
    LOCKED,
    CHUNK_WRITTEN,
    PART_WRITTEN,
    PART_VERIFIED,
    RENAMED,
    MARKED,
    MANIFEST_WRITTEN;

    /** Receives every step; an exception ends the sync. */
    @FunctionalInterface
    public interface Listener {
        Listener NONE = (step, path) -> {};

        /** @param path relative to the version's folder */
        void reached(SyncStep step, String path);
    }
}
