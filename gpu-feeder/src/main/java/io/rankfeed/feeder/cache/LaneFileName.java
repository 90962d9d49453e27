package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.manifest.ArtifactPath;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a lane's file (docs/format/cache.md, section 1).
 *
 * @param lane number of the lane, or {@link LaneLayout#SHARED}
 * @param shard number of the file in the lane, from 0
 */
public record LaneFileName(String feed, int lane, int shard) {
    private static final Pattern NAME =
            Pattern.compile("lanes/([a-z][a-z0-9_-]{0,30})/(?:lane-([0-9]{5})|shared)-([0-9]{5})\\.arrow");

    /** Parses a path; empty if it is not the path of a lane file. */
    public static Optional<LaneFileName> parse(ArtifactPath path) {
        Matcher matcher = NAME.matcher(path.value());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String lane = matcher.group(2);
        return Optional.of(new LaneFileName(
                matcher.group(1),
                lane == null ? LaneLayout.SHARED : Integer.parseInt(lane),
                Integer.parseInt(matcher.group(3))));
    }

    public ArtifactPath path() {
        String file = lane == LaneLayout.SHARED ? "shared" : String.format(Locale.ROOT, "lane-%05d", lane);
        return new ArtifactPath(String.format(Locale.ROOT, "lanes/%s/%s-%05d.arrow", feed, file, shard));
    }
}
