package io.rankfeed.schema.run;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version by the run that made it, where its folder is expected: {@code ROOT/DATASET@RUN-ID}, or {@code ROOT/DATASET@latest} for the
 * run that committed a version last.
 *
 * @param dataset folder of the dataset, or its address
 */
public record VersionName(String dataset, String run) {
    /** The longest facts of a run that are read. */
    private static final long MAX_RUN_BYTES = 16L << 20;

    private static final Pattern NAME = Pattern.compile("(.*[^/])/*@([^/@]+)/*", Pattern.DOTALL);

    /**
     * Parses the name of a version; empty if the words are a path or an address.
     *
     * @throws ConfigException if the part after the {@code @} is not a valid run id
     */
    public static Optional<VersionName> parse(String words) {
        Matcher name = NAME.matcher(words);
        if (!name.matches()) {
            return Optional.empty();
        }
        String run = name.group(2);
        return Optional.of(new VersionName(name.group(1), run.equals(RunName.LATEST) ? run : RunName.requireId(run)));
    }

    /**
     * The version's folder.
     *
     * @param store the one that the dataset is in
     * @param warn gets warnings for the user
     * @throws ConfigException if no run has that name, or it made no version
     * @throws CorruptDataException if the facts of a run are damaged
     */
    public String folder(Store store, Consumer<String> warn) {
        return dataset + "/versions/" + (isLatest() ? latest(store, warn).version() : ofRun(store));
    }

    /**
     * Where a version is, and by which order.
     *
     * @param folder of the version
     * @param order the id of the run's own order over it; empty where the version has an order of its own
     */
    public record Located(String folder, Optional<String> order) {}

    /**
     * The version's folder and the run's order, by one read: another run may become the latest one at any time.
     *
     * @param store the one that the dataset is in
     * @param warn gets warnings for the user
     * @throws ConfigException if no run has that name, or it made no version
     * @throws CorruptDataException if the facts of a run are damaged
     */
    public Located located(Store store, Consumer<String> warn) {
        if (!isLatest()) {
            return new Located(folder(store, warn), order(store));
        }
        VersionCommit latest = latest(store, warn);
        return new Located(dataset + "/versions/" + latest.version(), latest.order());
    }

    /**
     * The id of the run's own order over the version; empty where the version has an order of its own.
     *
     * @param store the one that the dataset is in
     * @throws ConfigException if no run has committed a version
     */
    public Optional<String> order(Store store) {
        return commit(store).flatMap(VersionCommit::order);
    }

    /**
     * What the run committed, by one read; empty if it made no version.
     *
     * @param store the one that the dataset is in
     * @throws ConfigException if no run has committed a version
     */
    public Optional<VersionCommit> commit(Store store) {
        if (isLatest()) {
            return Optional.of(latest(store, line -> {}));
        }
        return facts(store, run).flatMap(facts -> made(facts)
                .map(version -> new VersionCommit(
                        run,
                        version,
                        VersionCommit.optionalId(facts, "order"),
                        VersionCommit.optionalId(facts, "plan"))));
    }

    /** Whether it names the last committed version, which another commit may change at any time. */
    public boolean isLatest() {
        return run.equals(RunName.LATEST);
    }

    /** Reads one list of names and one file, and one more file for each commit that a crash left incomplete. */
    private VersionCommit latest(Store store, Consumer<String> warn) {
        String folder = dataset + "/" + VersionCommit.FOLDER;
        List<String> names = names(store, folder).stream()
                .filter(name -> VersionCommit.number(name).isPresent())
                .sorted(Comparator.reverseOrder())
                .toList();
        for (String name : names) {
            String file = folder + "/" + name;
            try {
                Optional<byte[]> bytes = read(store, file);
                if (bytes.isPresent()) {
                    return VersionCommit.parse(bytes.get(), file);
                }
            } catch (CorruptDataException e) {
                warn.accept(
                        e.getMessage() + "; this commit is ignored, and " + this + " is the one before it. A run that"
                                + " is committing writes this file; if that run was killed, run it again");
            }
        }
        requireDataset(store);
        throw new ConfigException(
                this + ": no committed run in " + dataset + " has made a version; run export or pipeline");
    }

    private String ofRun(Store store) {
        JsonObject facts = facts(store, run).orElseThrow(() -> {
            requireDataset(store);
            List<String> known = new ArrayList<>(names(store, runsFolder()));
            known.add(RunName.LATEST);
            return new ConfigException(
                    this + ": no run '" + run + "' is in " + runsFolder() + Suggestion.hint(run, known));
        });
        return made(facts)
                .orElseThrow(() -> new ConfigException(this + ": the run made no version (command '"
                        + facts.text("command") + "', state '" + facts.text("state") + "')"));
    }

    /** @throws ConfigException if nothing is where the dataset is expected */
    private void requireDataset(Store store) {
        if (store.find(dataset).isEmpty() && store.list(dataset).isEmpty()) {
            String root = Store.folder(dataset);
            String near = Suggestion.nearest(Store.name(dataset), names(store, root))
                    .map(name -> "; did you mean '" + (root.isEmpty() ? "" : root + "/") + name + "@" + run + "'?")
                    .orElse("; check the path, or make the dataset with rankfeed pipeline");
            throw new ConfigException(this + ": no dataset exists at " + dataset + near);
        }
    }

    private Optional<JsonObject> facts(Store store, String id) {
        String file = runsFolder() + "/" + RunName.folder(id) + "/run.json";
        return read(store, file).map(bytes -> JsonObject.root(StrictJson.parse(bytes, file), file));
    }

    private static Optional<String> made(JsonObject facts) {
        boolean isMade = facts.text("state").equals("committed") && facts.has("version");
        return isMade ? Optional.of(VersionCommit.versionId(facts)) : Optional.empty();
    }

    private static List<String> names(Store store, String folder) {
        return store.entries(folder).stream().map(StoredFile::name).toList();
    }

    private static Optional<byte[]> read(Store store, String file) {
        return store.find(file).map(found -> store.read(file, MAX_RUN_BYTES));
    }

    private String runsFolder() {
        return dataset + "/runs";
    }

    @Override
    public String toString() {
        return dataset + "@" + run;
    }
}
