package io.rankfeed.export.commit;

import io.rankfeed.schema.manifest.ArtifactFile;
import java.io.Serializable;

/**
 * A file of an artifact as the task that wrote it saw it; becomes an entry of the manifest.
 *
 * @param path relative to the artifact's folder
 * @param lengthBytes exact length
 * @param sha256 64 lower-case hexadecimal digits, of the bytes that were written
 * @param rows rows in it, or -1 where it holds none
 */
public record WrittenFile(String path, long lengthBytes, String sha256, long rows) implements Serializable {
    /** The file's entry in the manifest. */
    public ArtifactFile listed() {
        return rows < 0 ? ArtifactFile.of(path, lengthBytes, sha256) : ArtifactFile.of(path, lengthBytes, sha256, rows);
    }
}
