package io.rankfeed.feeder.ring;

import io.rankfeed.schema.digest.Sha256;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file name of a segment: {@code rankfeed-<uid>-<hash>-r<rank>-<feed>-<pid>-<generation>}.
 *
 * @param uid owner
 * @param rendezvousHash first 8 hex digits of the SHA-256 of the rendezvous directory's path
 * @param pid the feeder that made it
 * @param generation counts the segments of a rank's feed within one feeder, from 1
 */
public record SegmentName(int uid, String rendezvousHash, int rank, String feed, long pid, long generation) {
    private static final int HASH_DIGITS = 8;
    private static final Pattern PATTERN = Pattern.compile(
            "rankfeed-(\\d{1,10})-([0-9a-f]{8})-r(\\d{1,9})-([a-z][a-z0-9_-]{0,30})-(\\d{1,9})-(\\d{1,18})");

    public static String hashOf(Path rendezvousDirectory) {
        byte[] path =
                rendezvousDirectory.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
        return Sha256.hex(path).substring(0, HASH_DIGITS);
    }

    /** Parses a file name; empty if it is not the name of a segment. */
    public static Optional<SegmentName> parse(String fileName) {
        Matcher parts = PATTERN.matcher(fileName);
        if (!parts.matches()) {
            return Optional.empty();
        }
        return Optional.of(new SegmentName(
                (int) Long.parseLong(parts.group(1)),
                parts.group(2),
                Integer.parseInt(parts.group(3)),
                parts.group(4),
                Long.parseLong(parts.group(5)),
                Long.parseLong(parts.group(6))));
    }

    public String fileName() {
        return "rankfeed-" + Integer.toUnsignedString(uid) + "-" + rendezvousHash + "-r" + rank + "-" + feed + "-" + pid
                + "-" + generation;
    }
}
