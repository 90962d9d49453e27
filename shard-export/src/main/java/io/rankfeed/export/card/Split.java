package io.rankfeed.export.card;

import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.StoredFeed;
import io.rankfeed.schema.order.StoredFeeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Files that are read as one.
 *
 * @param name letters, digits and underscores, as the hub wants it
 * @param pattern of its files below the artifact's folder
 */
record Split(String name, String pattern, long rows, long bytes) {
    static Split ofPrepared(Manifest manifest) {
        return of(manifest, "train", "data/", "data/*.parquet");
    }

    /** Returns a split for each feed that has rows. */
    static List<Split> ofVersion(Manifest manifest, StoredFeeds stored) {
        Set<String> taken = new HashSet<>();
        List<Split> splits = new ArrayList<>();
        for (StoredFeed feed : stored.feeds()) {
            String name = feed.name().replace('-', '_');
            while (!taken.add(name)) {
                name += "_";
            }
            String folder = "lanes/" + feed.name() + "/";
            splits.add(of(manifest, name, folder, folder + "*.arrow"));
        }
        splits.removeIf(split -> split.rows() == 0);
        return splits;
    }

    private static Split of(Manifest manifest, String name, String folder, String pattern) {
        long rows = 0;
        long bytes = 0;
        for (ArtifactFile file : manifest.files()) {
            if (file.path().value().startsWith(folder) && file.rows().isPresent()) {
                rows += file.rows().getAsLong();
                bytes += file.bytes();
            }
        }
        return new Split(name, pattern, rows, bytes);
    }
}
