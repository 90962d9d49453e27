package io.rankfeed.spark.prepare;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.spark.file.FileChanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** What changed of a table in place since the nearest time that the same job recorded it; for users. */
final class InPlaceHistory {
    /** Tables read, and changes reported. */
    private static final int MOST = 100;

    private static final int TOLD = 3;

    private InPlaceHistory() {}

    /** @param folder of the table that is recorded now */
    static Optional<String> reported(Path folder, Manifest.Prepared now, Configuration conf) {
        return recorded(folder, conf).stream()
                .filter(then -> then.isInPlace()
                        && !then.id().equals(now.id())
                        && then.job().equals(now.job()))
                .min(Comparator.comparingInt(then -> changes(then, now).size()))
                .map(then -> line(then.id(), changes(then, now)));
    }

    private static List<String> changes(Manifest.Prepared then, Manifest.Prepared now) {
        return FileChanges.between(then.inputs().get(0), now.inputs().get(0));
    }

    private static String line(String id, List<String> changes) {
        int more = changes.size() - TOLD;
        return "not the files of prepared table " + id + " any more, so it is another table: "
                + String.join(", ", changes.subList(0, Math.min(TOLD, changes.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    /** Manifests that cannot be read are ignored: only a message depends on them. */
    private static List<Manifest.Prepared> recorded(Path folder, Configuration conf) {
        List<Manifest.Prepared> all = new ArrayList<>();
        FileSystem fs = Storage.of(folder, conf);
        try {
            for (FileStatus table : fs.listStatus(folder.getParent())) {
                Path file = new Path(table.getPath(), Manifest.FILE_NAME);
                if (all.size() < MOST) {
                    Storage.read(fs, file, JsonLimits.PREPARED.maxBytes())
                            .map(bytes -> ManifestJson.parse(bytes, file.toString(), JsonLimits.PREPARED))
                            .ifPresent(manifest ->
                                    all.add(ManifestJson.require(manifest, Manifest.Prepared.class, file.toString())));
                }
            }
        } catch (IOException | RankfeedException e) {
            return all;
        }
        return all;
    }
}
