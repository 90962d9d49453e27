package io.rankfeed.spark.inspect;

import io.rankfeed.report.ArtifactReport;
import io.rankfeed.report.Report;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** A complete artifact: its manifest, and its files as long as that says. Contents are not digested. */
record Artifact(FileTree tree, Path folder, Manifest manifest) {
    /** @throws CorruptDataException if there is no manifest, or it breaks a rule */
    static Artifact open(FileTree tree, Path folder) {
        Path file = new Path(folder, Manifest.FILE_NAME);
        Path parent = folder.getParent();
        JsonLimits limits = JsonLimits.ofManifestBelow(parent == null ? "" : parent.getName());
        return new Artifact(
                tree, folder, ManifestJson.parse(tree.read(file, limits.maxBytes()), FileTree.name(file), limits));
    }

    /** The facts that every artifact has, then its schema, if it has one. */
    void describe(Report report) {
        ArtifactReport.describe(report, manifest, FileTree.name(folder));
    }

    /** @throws CorruptDataException if this is not a prepared table */
    Manifest.Prepared prepared() {
        return ManifestJson.require(manifest, Manifest.Prepared.class, FileTree.name(folder));
    }

    /** @throws CorruptDataException if this is not a plan */
    Manifest.Plan plan() {
        return ManifestJson.require(manifest, Manifest.Plan.class, FileTree.name(folder));
    }

    /** @throws CorruptDataException if a listed file is missing or has another length */
    List<FileStatus> files() {
        Map<Path, FileStatus> found = new HashMap<>();
        tree.files(folder).forEach(status -> found.put(plain(status.getPath()), status));
        List<FileStatus> files = new ArrayList<>();
        for (ArtifactFile file : manifest.files()) {
            Path path = new Path(folder, file.path().value());
            // A name that readers of tables do not look at may be listed: Petastorm's metadata.
            FileStatus status = Optional.ofNullable(found.get(plain(path)))
                    .or(() -> tree.status(path))
                    .orElseThrow(() ->
                            new CorruptDataException(FileTree.name(path), "is listed in the manifest but missing"));
            if (status.getLen() != file.bytes()) {
                throw new CorruptDataException(
                        FileTree.name(path),
                        Math.min(status.getLen(), file.bytes()),
                        "has " + status.getLen() + " bytes; the manifest lists " + file.bytes());
            }
            files.add(status);
        }
        return files;
    }

    /** Reads the order of a plan or a version. @throws CorruptDataException if it differs from the manifest, or breaks a rule */
    Order order() {
        Path path = new Path(folder, Order.FILE_NAME);
        byte[] bytes = tree.read(path, JsonLimits.SERVED.maxBytes());
        return OrderJson.parse(bytes, manifest, FileTree.name(path));
    }

    boolean is(ArtifactFormat format) {
        return manifest.format() == format;
    }

    private static Path plain(Path path) {
        return new Path(path.toUri().getPath());
    }
}
