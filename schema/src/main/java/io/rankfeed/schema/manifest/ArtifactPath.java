package io.rankfeed.schema.manifest;

import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The path of a file inside its artifact (docs/format/manifest.md, section 5): relative, of at most 16 segments of ASCII
 * letters, digits and {@code . _ = -}, none of which starts with {@code .} or {@code _}, but for a last one that is
 * {@code _common_metadata}, Parquet's own name, and {@code _delta_log} before the name of a commit. So nothing climbs out of the
 * folder, names another file system, hides, or has a second spelling in Unicode.
 */
public record ArtifactPath(String value) implements Comparable<ArtifactPath> {
    public static final int MAX_BYTES = 1024;
    public static final int MAX_SEGMENTS = 16;

    private static final String SUMMARY = "_common_metadata";
    private static final String LOG = "_delta_log";
    private static final Pattern COMMIT = Pattern.compile("[0-9]{20}\\.json");
    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9=-][A-Za-z0-9._=-]{0,254}");

    /** @throws IllegalArgumentException if it is no such path; where it was read from a file, see {@link #parse} */
    public ArtifactPath {
        if (value.length() > MAX_BYTES) {
            throw new IllegalArgumentException("a path of " + value.length() + " characters; at most " + MAX_BYTES);
        }
        String[] segments = value.split("/", -1);
        if (segments.length > MAX_SEGMENTS) {
            throw new IllegalArgumentException("'" + value + "' has more than " + MAX_SEGMENTS + " segments");
        }
        for (int i = 0; i < segments.length; i++) {
            String segment = segments[i];
            boolean summary = i > 0 && i == segments.length - 1 && segment.equals(SUMMARY);
            boolean log = i > 0
                    && i == segments.length - 2
                    && segment.equals(LOG)
                    && COMMIT.matcher(segments[i + 1]).matches();
            if (!summary && !log && !SEGMENT.matcher(segment).matches()) {
                throw new IllegalArgumentException("'" + value + "' is not a path inside an artifact: segment '"
                        + segment + "' does not match " + SEGMENT.pattern());
            }
        }
    }

    /** @param file where the text was read */
    public static ArtifactPath parse(String text, String file) {
        try {
            return new ArtifactPath(text);
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(file, String.valueOf(e.getMessage()), e);
        }
    }

    /** Resolves the path against its artifact's folder, without access to the file system. */
    public Path in(Path folder) {
        return folder.resolve(value);
    }

    /** Compares by code point; every path is ASCII. */
    @Override
    public int compareTo(ArtifactPath other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
