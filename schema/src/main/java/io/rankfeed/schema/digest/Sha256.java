package io.rankfeed.schema.digest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 as 64 lower-case hexadecimal digits. */
public final class Sha256 {
    private static final int CHUNK_BYTES = 1 << 17;

    private Sha256() {}

    public static String hex(byte[] bytes) {
        return hexOf(digest().digest(bytes));
    }

    /** The digest of what is left of the stream, which is read to its end and not closed. */
    public static String hex(InputStream stream) throws IOException {
        MessageDigest digest = digest();
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int n = stream.read(chunk); n >= 0; n = stream.read(chunk)) {
            digest.update(chunk, 0, n);
        }
        return hexOf(digest.digest());
    }

    public static String hex(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            return hex(stream);
        }
    }

    /** A running SHA-256, for whoever writes and digests in one pass; end it with {@link #hexOf}. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    public static String hexOf(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }
}
