package io.rankfeed.schema.manifest;

/**
 * The end of a lane's file: all that follows its last record batch. With it, the offsets and the CRC32C of record batches can be
 * trusted before the whole file has been downloaded.
 *
 * @param bytes its length; the file ends with it
 * @param sha256 64 lower-case hexadecimal digits
 */
public record Footer(int bytes, String sha256) {
    public Footer {
        if (bytes <= 0 || !ArtifactFile.SHA256.matcher(sha256).matches()) {
            throw new IllegalArgumentException("footer of " + bytes + " bytes, SHA-256 " + sha256);
        }
    }
}
