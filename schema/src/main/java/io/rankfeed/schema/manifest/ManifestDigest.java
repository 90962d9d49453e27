package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A manifest's digest of itself: SHA-256 over the bytes of its file without the line of the member {@code digest}
 * (docs/format/manifest.md, section 3). It covers bytes, so a reformatted manifest is refused, too: the next artifact refers to it by
 * the SHA-256 of its file.
 */
final class ManifestDigest {
    static final String MEMBER = "digest";

    private static final int DIGITS = 64;
    private static final String REMEDY = "; restore the file, or remove the folder and run the job that made it again";

    /**
     * The text before the digest. It occurs once, because only members of the top level are indented by two spaces, and
     * no string contains a line end.
     */
    private static final byte[] BEFORE = ascii("\n  \"" + MEMBER + "\": \"");

    private static final byte[] AFTER = ascii("\",\n");

    private ManifestDigest() {}

    /** The document as canonical bytes, with its digest. */
    static byte[] toBytes(ObjectNode document) {
        return renewed(CanonicalJson.indented(document.put(MEMBER, "0".repeat(DIGITS))));
    }

    /** Returns the bytes with their digest recomputed. */
    static byte[] renewed(byte[] manifest) {
        byte[] renewed = manifest.clone();
        int line = line(manifest);
        System.arraycopy(ascii(computed(manifest, line)), 0, renewed, line + BEFORE.length, DIGITS);
        return renewed;
    }

    /** @throws CorruptDataException if a byte was changed, or there is no digest */
    static void require(byte[] manifest, String file) {
        int line = line(manifest);
        if (line < 0) {
            throw new CorruptDataException(
                    file,
                    "has no line with the member '" + MEMBER + "': an older release wrote it, or it was reformatted"
                            + REMEDY);
        }
        String found = new String(manifest, line + BEFORE.length, DIGITS, StandardCharsets.ISO_8859_1);
        String computed = computed(manifest, line);
        if (!found.equals(computed)) {
            throw new CorruptDataException(
                    file,
                    "was changed after it was written: its member '" + MEMBER + "' is " + found
                            + ", the SHA-256 of the rest is " + computed + REMEDY);
        }
    }

    private static String computed(byte[] manifest, int line) {
        MessageDigest sha256 = Sha256.digest();
        // The line is removed with the line end before it; the one after it remains.
        int next = line + BEFORE.length + DIGITS + AFTER.length - 1;
        sha256.update(manifest, 0, line);
        sha256.update(manifest, next, manifest.length - next);
        return Sha256.hexOf(sha256.digest());
    }

    /** Index of the line end before the only line of the digest; -1 if there is none, or more than one. */
    private static int line(byte[] manifest) {
        int found = -1;
        int last = manifest.length - BEFORE.length - DIGITS - AFTER.length;
        for (int at = 0; at <= last; at++) {
            if (matches(manifest, at, BEFORE)) {
                if (found >= 0 || !matches(manifest, at + BEFORE.length + DIGITS, AFTER)) {
                    return -1;
                }
                found = at;
            }
        }
        return found;
    }

    private static boolean matches(byte[] bytes, int at, byte[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (bytes[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
