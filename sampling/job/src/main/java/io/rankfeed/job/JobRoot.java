package io.rankfeed.job;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;

/** The root of a job's artifacts. A commit needs atomic renames and exclusive creation, which object stores do not offer. */
public final class JobRoot {
    private static final List<String> SCHEMES = List.of("file", "hdfs", "viewfs");

    private JobRoot() {}

    /**
     * Refuses an address of a file system that cannot commit.
     *
     * @param defaultScheme of an address that states none
     * @throws ConfigException if it is neither local nor in HDFS
     */
    public static void requireCommits(String root, String defaultScheme) {
        String scheme = WrittenPath.of("root", root).scheme().orElse(defaultScheme);
        if (!SCHEMES.contains(scheme)) {
            throw new ConfigException("root: " + root + " has the scheme " + scheme + "; supported for a root are "
                    + String.join(", ", SCHEMES)
                    + " (a commit needs atomic renames and exclusive creation, which object stores do not offer);"
                    + " keep the root on a mounted disk or in HDFS");
        }
    }
}
