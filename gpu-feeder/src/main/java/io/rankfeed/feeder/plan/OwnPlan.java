package io.rankfeed.feeder.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.job.FeedSection;
import io.rankfeed.job.StrataColumn;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.DefaultOrder;
import io.rankfeed.schema.run.VersionCommit;
import io.rankfeed.schema.selection.ListOrder;
import io.rankfeed.schema.selection.RowDigests;
import io.rankfeed.schema.selection.SelectedStratum;
import io.rankfeed.schema.selection.SelectedTrain;
import io.rankfeed.schema.store.Store;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The plan of the order by which a version was opened: its settings, and the strata that it chose. */
record OwnPlan(Manifest.Plan manifest, OpenVersion version, String file) {
    /** A version of format 1 has no digests of its rows; its lanes have checksums. */
    private static final String NO_DIGEST = "0".repeat(64);

    /**
     * Reads the manifest of the plan, which is next to the version.
     *
     * @param run the id of the plan of the run by which the user named the version: several runs may have one order
     * @param folder of the version, absolute, or its address
     * @throws ConfigException if it is not there
     * @throws CorruptDataException if it is damaged
     */
    static OwnPlan of(OpenVersion version, Optional<String> run, String folder, Store store) {
        if (version.manifest().external().isPresent()) {
            return ofImport(version, folder);
        }
        String needed = "a plan over a version needs the settings of the version's own plan.";
        String id = id(version, run, folder, store)
                .orElseThrow(() -> new ConfigException(folder + ": no commit names the plan of this version and its"
                        + " order, and " + needed + " Name the version where it was exported"));
        return find(version, run, folder, store)
                .orElseThrow(() -> new ConfigException(file(id, folder) + ": no such file; " + needed
                        + " Copy that file, or name the version where it was exported"));
    }

    /** An import writes no plan: its settings follow from the order by which the version was opened. */
    private static OwnPlan ofImport(OpenVersion version, String folder) {
        String file = folder + ", the import";
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        ObjectNode feeds = job.putObject("sample");
        for (Feed feed : version.order().feeds()) {
            if (feed instanceof TrainFeed train
                    && version.selection()
                                    .flatMap(selection -> selection.feed(train.name()))
                                    .orElse(null)
                            instanceof SelectedTrain stored) {
                feeds.set(train.name(), ImportedPlan.settings(train, stored));
            }
        }
        Contents contents = new Contents(version.manifest().dataset(), job, List.of(), 0, List.of());
        return new OwnPlan(new Manifest.Plan(contents, Map.of()), version, file);
    }

    /** Reads the manifest as {@link #of} does; empty if it is not there. */
    static Optional<OwnPlan> find(OpenVersion version, Optional<String> run, String folder, Store store) {
        if (version.manifest().external().isPresent()) {
            return Optional.of(ofImport(version, folder));
        }
        Optional<String> file = id(version, run, folder, store)
                .map(id -> file(id, folder))
                .filter(path -> store.find(path).isPresent());
        return file.map(path -> read(version, path, store.read(path, JsonLimits.SERVED.maxBytes())));
    }

    private static OwnPlan read(OpenVersion version, String file, byte[] bytes) {
        if (input(version)
                .filter(input -> !Sha256.hex(bytes).equals(input.sha256()))
                .isPresent()) {
            throw new CorruptDataException(file, "is not the manifest of the plan that the version was made from");
        }
        return new OwnPlan(
                ManifestJson.require(ManifestJson.parse(bytes, file), Manifest.Plan.class, file), version, file);
    }

    /** The plan is an input of a version of format 1. That of any other is in the commit of its order. */
    private static Optional<String> id(OpenVersion version, Optional<String> run, String folder, Store store) {
        return input(version).map(Input.ArtifactInput::id).or(() -> run).or(() -> DefaultOrder.firstCommit(
                        folder,
                        version.manifest().id(),
                        Optional.of(version.order().plan()),
                        store)
                .flatMap(VersionCommit::plan));
    }

    private static Optional<Input.ArtifactInput> input(OpenVersion version) {
        return version.manifest().inputs().stream()
                .filter(Input.ArtifactInput.class::isInstance)
                .map(Input.ArtifactInput.class::cast)
                .filter(artifact -> artifact.format() == ArtifactFormat.PLAN)
                .findFirst();
    }

    private static String file(String plan, String version) {
        return Store.folder(Store.folder(version)) + "/" + ArtifactFormat.PLAN.folder() + "/" + plan + "/"
                + Manifest.FILE_NAME;
    }

    /** The settings of a feed. */
    ConfigDocument settings(Feed feed) {
        if (manifest.job().path("sample").get(feed.name()) instanceof ObjectNode section) {
            return ConfigDocument.of(file + ", sample." + feed.name(), section);
        }
        throw new CorruptDataException(file, "has no settings of feed '" + feed.name() + "'");
    }

    /** The strata of a feed that were so rare that the version stores them as one. */
    List<String> joined(Feed feed) {
        return manifest.decisions()
                .getOrDefault(feed.name(), FeedDecisions.NONE)
                .rest();
    }

    /**
     * The rows of a feed as the version stores them.
     *
     * @param section the feed in the version's own plan
     * @throws ConfigException if an older release exported the version, and the values of its strata are not in their names
     */
    SelectedTrain stored(TrainFeed feed, FeedSection section) {
        return version.selection()
                .flatMap(selection -> selection.feed(feed.name()))
                .map(SelectedTrain.class::cast)
                .orElseGet(() -> ofNames(feed, section));
    }

    /** A version without a {@code selection.json}. */
    private static SelectedTrain ofNames(TrainFeed feed, FeedSection section) {
        if (section.stages().stream()
                .anyMatch(stage -> stage.where().isPresent() || stage.orderBy().isPresent())) {
            throw new ConfigException(
                    "feed '" + feed.name() + "': its stages choose rows by where or order-by, and the version has no"
                            + " selection.json, so that a plan over it cannot be made; change the job file and export again");
        }
        List<String> columns =
                section.strata().stream().map(StrataColumn::displayName).toList();
        List<SelectedStratum> strata = feed.strata().stream()
                .map(stratum -> new SelectedStratum(
                        stratum.name(), values(feed, stratum, columns), stratum.available(), stratum.rows()))
                .toList();
        long rows = strata.stream().mapToLong(SelectedStratum::rows).sum();
        return new SelectedTrain(
                feed.name(),
                feed.lanes(),
                columns,
                new ListOrder(
                        feed.order() == RowOrder.GLOBAL ? new ListOrder.Hash(feed.seed()) : new ListOrder.Table(),
                        List.of()),
                strata,
                Collections.nCopies(Math.toIntExact(RowDigests.count(rows)), NO_DIGEST));
    }

    private static List<String> values(TrainFeed feed, Stratum stratum, List<String> columns) {
        List<String> values =
                columns.isEmpty() ? List.of() : List.of(stratum.name().split("/", -1));
        if (values.size() != columns.size()) {
            throw new ConfigException("feed '" + feed.name() + "': stratum '" + stratum.name()
                    + "' has no value for each of the strata columns " + columns + ", so that a plan over this version"
                    + " cannot be made; change the job file and export again");
        }
        return values;
    }
}
