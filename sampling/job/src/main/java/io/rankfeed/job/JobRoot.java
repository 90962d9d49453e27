package io.rankfeed.job;

import java.util.List;
import java.util.Optional;

/** The root of a job's artifacts. A commit needs atomic renames and exclusive creation, which object stores do not offer. */
public final class JobRoot {
    private static final List<String> SCHEMES = List.of("file", "hdfs", "viewfs");

    private JobRoot() {}

    /**
     * Returns why nothing can be committed below an address; empty if it can.
     *
     * @param defaultScheme of an address that states none
     */
    public static Optional<String> refusal(String root, String defaultScheme) {
        String scheme = WrittenPath.of("root", root).scheme().orElse(defaultScheme);
        return SCHEMES.contains(scheme)
                ? Optional.empty()
                : Optional.of(root + " has the scheme " + scheme + "; supported for a root are "
                        + String.join(", ", SCHEMES)
                        + " (a commit needs atomic renames and exclusive creation, which object stores do not offer);"
                        + " keep the root on a mounted disk or in HDFS");
    }
}
