package io.rankfeed.look;

import io.rankfeed.report.ArtifactReport;
import io.rankfeed.report.Report;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.PlanCheck;
import io.rankfeed.schema.order.StoredFeeds;
import io.rankfeed.schema.run.DefaultOrder;
import io.rankfeed.schema.run.VersionCommit;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A complete artifact: its manifest, and its files as long as that says. Their contents are not compared with their digests.
 *
 * @param folder absolute
 */
public record Artifact(Store store, String folder, Manifest manifest) {
    /** @throws CorruptDataException if there is no manifest, or it breaks a rule */
    public static Artifact open(Store store, String folder) {
        String file = folder + "/" + Manifest.FILE_NAME;
        JsonLimits limits = JsonLimits.ofManifestBelow(Store.name(Store.folder(folder)));
        return new Artifact(store, folder, ManifestJson.parse(store.read(file, limits.maxBytes()), file, limits));
    }

    /** The folder of another artifact of the same dataset. */
    public String sibling(ArtifactFormat format, String id) {
        return Store.folder(Store.folder(folder)) + "/" + format.folder() + "/" + id;
    }

    /** The facts that every artifact has, then its schema, if it has one. */
    void describe(Report report) {
        ArtifactReport.describe(report, manifest, folder);
    }

    /** @throws CorruptDataException if this is not a prepared table */
    public Manifest.Prepared prepared() {
        return ManifestJson.require(manifest, Manifest.Prepared.class, folder);
    }

    /** @throws CorruptDataException if this is not a plan */
    Manifest.Plan plan() {
        return ManifestJson.require(manifest, Manifest.Plan.class, folder);
    }

    /** @throws CorruptDataException if this is not a version */
    Manifest.Version version() {
        return ManifestJson.require(manifest, Manifest.Version.class, folder);
    }

    /**
     * The files that the manifest lists. A copy on a training node has the lanes of the node's ranks; other lanes are left out here.
     *
     * @throws CorruptDataException if a file is missing, has another length, or is behind a symbolic link
     */
    public List<StoredFile> files() {
        Map<String, StoredFile> found = new HashMap<>();
        store.files(folder).forEach(file -> found.put(file.path(), file));
        boolean isCopy = isCopy();
        Set<String> known = new HashSet<>(Set.of(folder));
        List<StoredFile> files = new ArrayList<>();
        for (ArtifactFile file : manifest.files()) {
            String path = folder + "/" + file.path().value();
            // A manifest may list a name that readers of tables ignore: Petastorm's metadata.
            Optional<StoredFile> stored = Optional.ofNullable(found.get(path)).or(() -> store.find(path));
            if (stored.isEmpty() && isCopy && isLane(file)) {
                continue;
            }
            refuseLinks(path, known);
            files.add(checked(file, stored, path));
        }
        return files;
    }

    /** @param known the artifact's folder, and paths below it that are not links */
    private void refuseLinks(String path, Set<String> known) {
        if (known.add(path)) {
            if (store.isLink(path)) {
                throw new CorruptDataException(path, "is a symbolic link; an artifact has none");
            }
            refuseLinks(Store.folder(path), known);
        }
    }

    private static StoredFile checked(ArtifactFile file, Optional<StoredFile> stored, String path) {
        StoredFile found =
                stored.orElseThrow(() -> new CorruptDataException(path, "is listed in the manifest but missing"));
        if (found.bytes() != file.bytes()) {
            throw new CorruptDataException(
                    path,
                    Math.min(found.bytes(), file.bytes()),
                    "has " + found.bytes() + " bytes; the manifest lists " + file.bytes());
        }
        return found;
    }

    /** Checks that the files are there, and reports how many if a copy has not all of them. */
    void describeFiles(Report report) {
        int here = files().size();
        if (here < manifest.files().size()) {
            report.answer("copy of a node: " + Plural.counted(here, "file") + " of "
                    + manifest.files().size() + ", the lanes of its ranks");
            report.fact("filesHere", (long) here);
        }
    }

    boolean isCopy() {
        return is(ArtifactFormat.VERSION)
                && store.find(folder + "/" + Manifest.COPY_LOG_FILE_NAME).isPresent();
    }

    private static boolean isLane(ArtifactFile file) {
        return file.path().value().startsWith("lanes/");
    }

    /**
     * Reads the order of a plan, or the one of a version where no other is named.
     *
     * @throws ConfigException if no order of the version is there, or it is one of another version
     * @throws CorruptDataException if it differs from the manifest, or breaks a rule
     */
    public Order order() {
        if (!hasOwnOrder()) {
            Order found = DefaultOrder.of(folder, manifest.id(), store);
            PlanCheck.require(found, stored(), version(), found.plan());
            return found;
        }
        String path = folder + "/" + Order.FILE_NAME;
        return OrderJson.parse(store.read(path, JsonLimits.SERVED.maxBytes()), manifest, path);
    }

    /** Whether the order is a file of this artifact, as in a plan and in a version of format 1. */
    boolean hasOwnOrder() {
        return !is(ArtifactFormat.VERSION) || manifest.file(Order.FILE_NAME).isPresent();
    }

    /** What a version stores. @throws CorruptDataException if the file that states it differs from the manifest, or breaks a rule */
    StoredFeeds stored() {
        if (hasOwnOrder()) {
            return StoredFeeds.of(order())
                    .orElseThrow(() -> new CorruptDataException(folder + "/" + Order.FILE_NAME, "has no storage"));
        }
        String path = folder + "/" + Selection.FILE_NAME;
        return SelectionJson.parse(store.read(path, JsonLimits.SERVED.maxBytes()), manifest, path)
                .stored()
                .orElseThrow(() -> new CorruptDataException(path, "has no storage"));
    }

    /**
     * The id of the plan by which a version was exported first.
     *
     * @throws ConfigException if nothing names it
     */
    public String planId() {
        return manifest.inputs().stream()
                .filter(input -> input instanceof Input.ArtifactInput made && made.format() == ArtifactFormat.PLAN)
                .map(input -> ((Input.ArtifactInput) input).id())
                .findFirst()
                .or(() -> DefaultOrder.firstCommit(folder, manifest.id(), Optional.empty(), store)
                        .flatMap(VersionCommit::plan))
                .orElseThrow(() -> new ConfigException(folder + ": neither its manifest nor a commit of the dataset"
                        + " names the plan of this version; give the folder of the plan"));
    }

    public boolean is(ArtifactFormat format) {
        return manifest.format() == format;
    }
}
