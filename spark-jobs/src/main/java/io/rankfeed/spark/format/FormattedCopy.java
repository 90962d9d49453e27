package io.rankfeed.spark.format;

import io.rankfeed.schema.manifest.Manifest;
import org.apache.hadoop.fs.Path;

/**
 * The rows of a version in another format; complete.
 *
 * @param format its name
 * @param path its folder
 */
public record FormattedCopy(String format, Path path, Manifest manifest) {
    public String id() {
        return manifest.id();
    }
}
