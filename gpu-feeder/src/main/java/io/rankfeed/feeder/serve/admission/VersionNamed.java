package io.rankfeed.feeder.serve.admission;

/** The form in which the user named the version that is served. */
public enum VersionNamed {
    /** The folder of the version, or a run: the same version on every node. */
    FIXED,
    /** {@code ROOT/DATASET@latest}: another node may have resolved it to another version. */
    LATEST
}
