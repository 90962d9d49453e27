package io.rankfeed.spark.run;

import io.rankfeed.schema.manifest.Manifest;
import org.apache.hadoop.fs.Path;

/**
 * A prepared table that is complete.
 *
 * @param path its folder
 * @param manifest what it holds; data files are sorted by path
 * @param manifestSha256 digest of its {@code manifest.json}, which names it in a plan's inputs
 */
public record PreparedTable(Path path, Manifest.Prepared manifest, String manifestSha256) {
    public String id() {
        return manifest.id();
    }
}
