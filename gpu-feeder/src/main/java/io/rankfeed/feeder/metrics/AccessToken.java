package io.rankfeed.feeder.metrics;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The secret that a request must have: as a bearer token, or as the password of basic authentication with any user. */
final class AccessToken {
    /** Its name in the environment. */
    static final String VARIABLE = "RANKFEED_METRICS_TOKEN";

    private static final Pattern VALID = Pattern.compile("[!-~]{16,512}");
    private static final int MAX_FILE_BYTES = 4096;
    private static final String BEARER = "Bearer ";
    private static final String BASIC = "Basic ";

    private final byte[] secret;

    private AccessToken(String secret) {
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The token of the file, else of the environment; empty where neither is given.
     *
     * @throws ConfigException if it is not 16 to 512 visible characters of ASCII; the message does not have it
     */
    static Optional<AccessToken> of(@Nullable Path file, Map<String, String> environment) {
        if (file == null) {
            return Optional.ofNullable(environment.get(VARIABLE)).map(text -> checked(text, VARIABLE));
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] read = in.readNBytes(MAX_FILE_BYTES);
            return Optional.of(checked(new String(read, StandardCharsets.UTF_8).strip(), "the file " + file));
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("--metrics-token-file " + file + " cannot be read", e), e);
        }
    }

    private static AccessToken checked(String text, String where) {
        if (!VALID.matcher(text).matches()) {
            throw new ConfigException("invalid token in " + where + " (" + text.length()
                    + " characters); use 16 to 512 visible ASCII characters, as from openssl rand -hex 32");
        }
        return new AccessToken(text);
    }

    /** @param header the value of {@code Authorization}; null where the request has none */
    boolean isIn(@Nullable String header) {
        if (header == null) {
            return false;
        }
        if (isOf(header, BEARER)) {
            return isEqual(header.substring(BEARER.length()).strip());
        }
        if (!isOf(header, BASIC)) {
            return false;
        }
        try {
            byte[] pair =
                    Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
            String text = new String(pair, StandardCharsets.UTF_8);
            int colon = text.indexOf(':');
            return colon >= 0 && isEqual(text.substring(colon + 1));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Schemes are the same in upper and lower case (RFC 9110, section 11.1). */
    private static boolean isOf(String header, String scheme) {
        return header.regionMatches(true, 0, scheme, 0, scheme.length());
    }

    /** Takes the same time for each wrong token, so that the time says nothing about the right one. */
    private boolean isEqual(String offered) {
        return MessageDigest.isEqual(offered.getBytes(StandardCharsets.UTF_8), secret);
    }
}
