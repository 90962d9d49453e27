package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** The part of a job that a manifest stores. Secrets are replaced, but another secret gives another id. */
public final class StoredJob {
    private static final String MEMBER = "redacted";

    /** A slow digest protects short secrets against guessing: each guess takes a quarter of a second. */
    private static final int ITERATIONS = 600_000;

    private static final byte[] SALT = "rankfeed.manifest".getBytes(StandardCharsets.UTF_8);

    private StoredJob() {}

    /** The job itself if it has no secrets; else a copy without them, and a slow digest of the whole. */
    public static ObjectNode of(ObjectNode job) {
        JsonNode shown = Redaction.byPatterns(job);
        if (shown.equals(job)) {
            return job;
        }
        return ((ObjectNode) shown).put(MEMBER, digest(job));
    }

    private static String digest(ObjectNode job) {
        char[] whole = Sha256.hex(CanonicalJson.compact(job)).toCharArray();
        try {
            byte[] digest = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(whole, SALT, ITERATIONS, 256))
                    .getEncoded();
            return HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            // Every Java has this algorithm.
            throw new IllegalStateException(e);
        }
    }
}
