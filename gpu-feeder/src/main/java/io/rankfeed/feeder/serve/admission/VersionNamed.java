package io.rankfeed.feeder.serve.admission;

/** How the user named the version that is served. */
public enum VersionNamed {
    /** By its folder, or by a run: the same version on every node. */
    FIXED,
    /** As {@code ROOT/DATASET@latest}: another node may have resolved that to another version. */
    LATEST
}
