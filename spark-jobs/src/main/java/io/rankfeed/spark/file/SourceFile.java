package io.rankfeed.spark.file;

import org.apache.hadoop.fs.Path;

/**
 * A file of a source as it was when the job began.
 *
 * @param path where it is read
 * @param relative its path under the source's root, with "/"
 * @param modifiedMillis shows whether it changed while the job ran; in no manifest
 */
public record SourceFile(Path path, String relative, long lengthBytes, long modifiedMillis) {
    /** See {@link RowAddress#canonical}. */
    public String canonical() {
        return RowAddress.canonical(path.toUri());
    }
}
