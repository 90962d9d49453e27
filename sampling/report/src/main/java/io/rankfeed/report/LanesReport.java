package io.rankfeed.report;

import io.rankfeed.report.Report.Bytes;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.StoredFeed;
import io.rankfeed.schema.order.StoredFeeds;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A version's cache files, known by their names and the manifest's counts. */
public final class LanesReport {
    private static final Pattern FILE = Pattern.compile("lanes/([^/]+)/(?:lane-([0-9]{5})|shared)-[0-9]{5}\\.arrow");

    private LanesReport() {}

    /** The sums over a feed's files. */
    private static final class Tally {
        private final SortedMap<Long, Long> rowsByLane = new TreeMap<>();
        private long shards;
        private long sharedRows;
        private long bytes;
    }

    public static void describe(Report report, Manifest version, StoredFeeds stored) {
        report.fact("batchRows", (long) stored.storage().batchRows())
                .fact("shardRows", stored.storage().shardRows());
        Map<String, Tally> tallies = tallies(version);
        Report.Table table =
                report.table("lanes", "feed", "lanes", "files", "rowsPerLane", "mostPerLane", "sharedRows", "bytes");
        for (StoredFeed feed : stored.feeds()) {
            Tally tally = tallies.getOrDefault(feed.name(), new Tally());
            // A lane without rows has no file.
            long min = tally.rowsByLane.size() < feed.lanes()
                    ? 0
                    : tally.rowsByLane.values().stream()
                            .mapToLong(rows -> rows)
                            .min()
                            .orElse(0);
            long max = tally.rowsByLane.values().stream()
                    .mapToLong(rows -> rows)
                    .max()
                    .orElse(0);
            table.add(
                    feed.name(), (long) feed.lanes(), tally.shards, min, max, tally.sharedRows, new Bytes(tally.bytes));
        }
    }

    /** Rows of a feed's lanes; a lane without rows has none. */
    public static SortedMap<Long, Long> rowsByLane(Manifest version, String feed) {
        return tallies(version).getOrDefault(feed, new Tally()).rowsByLane;
    }

    private static Map<String, Tally> tallies(Manifest version) {
        Map<String, Tally> tallies = new TreeMap<>();
        for (ArtifactFile file : version.files()) {
            Matcher name = FILE.matcher(file.path().value());
            if (name.matches()) {
                add(tallies.computeIfAbsent(name.group(1), feed -> new Tally()), name.group(2), file);
            }
        }
        return tallies;
    }

    private static void add(Tally tally, @Nullable String lane, ArtifactFile file) {
        long rows = file.rows().orElse(0);
        if (lane == null) {
            tally.sharedRows += rows;
        } else {
            tally.rowsByLane.merge(Long.valueOf(lane), rows, Long::sum);
        }
        tally.shards++;
        tally.bytes += file.bytes();
    }
}
