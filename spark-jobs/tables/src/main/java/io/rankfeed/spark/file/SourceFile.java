package io.rankfeed.spark.file;

import java.io.Serializable;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * A file of a source as it was when the job began.
 *
 * @param status with block locations, if the file system has them
 * @param relative its path under the source's root, with "/"
 */
public record SourceFile(FileStatus status, String relative) implements Serializable {
    /** The path from which the file is read. */
    public Path path() {
        return status.getPath();
    }

    public long lengthBytes() {
        return status.getLen();
    }

    /** Shows whether the file changed while the job ran; not stored in any manifest. */
    public long modifiedMillis() {
        return status.getModificationTime();
    }

    /** See {@link RowAddress#canonical}. */
    public String canonical() {
        return RowAddress.canonical(path().toUri());
    }
}
