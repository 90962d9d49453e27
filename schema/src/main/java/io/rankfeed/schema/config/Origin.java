package io.rankfeed.schema.config;

import io.rankfeed.schema.failure.ConfigException;

/**
 * The source location of a configuration value.
 *
 * @param where {@code conf/jobs/x.yaml line 12} or {@code --set a.b}
 */
record Origin(String where) {
    static Origin line(String file, int line) {
        return new Origin(file + " line " + line);
    }

    /** @param path dotted path of the key; empty for the document */
    ConfigException refuse(String path, String what) {
        return new ConfigException(where + (path.isEmpty() ? "" : ", key '" + path + "'") + ": " + what);
    }
}
