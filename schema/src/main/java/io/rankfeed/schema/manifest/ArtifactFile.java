package io.rankfeed.schema.manifest;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A file of an artifact, as its manifest lists it.
 *
 * @param bytes its exact length
 * @param sha256 64 lower-case hexadecimal digits
 * @param rows rows in it, where it has rows
 * @param footer of the files of lanes
 */
public record ArtifactFile(ArtifactPath path, long bytes, String sha256, OptionalLong rows, Optional<Footer> footer) {
    static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    public ArtifactFile {
        if (bytes < 0 || rows.orElse(0) < 0 || !SHA256.matcher(sha256).matches()) {
            throw new IllegalArgumentException(path + ": " + bytes + " bytes, " + rows + " rows, SHA-256 " + sha256);
        }
        if (footer.isPresent() && footer.get().bytes() > bytes) {
            throw new IllegalArgumentException(path + ": " + bytes + " bytes with a footer of "
                    + footer.get().bytes());
        }
    }

    public static ArtifactFile of(String path, long bytes, String sha256) {
        return new ArtifactFile(new ArtifactPath(path), bytes, sha256, OptionalLong.empty(), Optional.empty());
    }

    public static ArtifactFile of(String path, long bytes, String sha256, long rows) {
        return new ArtifactFile(new ArtifactPath(path), bytes, sha256, OptionalLong.of(rows), Optional.empty());
    }

    /** A file of a lane. */
    public static ArtifactFile of(String path, long bytes, String sha256, long rows, Footer footer) {
        return new ArtifactFile(new ArtifactPath(path), bytes, sha256, OptionalLong.of(rows), Optional.of(footer));
    }
}
