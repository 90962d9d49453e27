package io.rankfeed.spark.prune;

import io.rankfeed.export.store.HadoopFiles;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.mixture.MixtureJson;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.run.MixtureName;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The versions that the mixtures of a root draw from. */
final class MixedVersions {
    private MixedVersions() {}

    /**
     * @return by the folder of a version, the id of the first mixture that draws from it
     * @throws CorruptDataException if a mixture cannot be read: its versions are unknown
     */
    static Map<Path, String> of(FileSystem fs, Path root) {
        Store store = HadoopFiles.of(root.toString(), fs.getConf());
        Map<Path, String> versions = new HashMap<>();
        for (StoredFile entry : store.entries(root + "/" + MixtureName.FILES.folder())) {
            String file = entry.path() + "/" + Mixture.FILE_NAME;
            if (entry.isFolder() && store.find(file).isPresent()) {
                for (Member member : mixture(store, file).feed().members()) {
                    Member.Source source = member.source().orElseThrow();
                    versions.putIfAbsent(new Path(MixtureName.version(root.toString(), source)), entry.name());
                }
            }
        }
        return versions;
    }

    private static Mixture mixture(Store store, String file) {
        try {
            return MixtureJson.parse(store.read(file, JsonLimits.SERVED.maxBytes()), file);
        } catch (CorruptDataException e) {
            throw new CorruptDataException(
                    file,
                    "cannot be read, so the versions that it draws from are unknown and nothing is removed; delete its"
                            + " folder, or use the release that wrote it: " + e.getMessage(),
                    e);
        }
    }
}
