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

        /** Receives how many bytes will be read, to copy files and to verify them, before the first is read. */
        default void planned(long bytes) {}

        /** Receives how many bytes more were read, less than 0 where a file must be read again; any thread may call this. */
        default void handled(long bytes) {}
    }
}
