package io.rankfeed.spark.prune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.export.commit.Claim;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Input.ArtifactInput;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.run.VersionCommit;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The artifacts and runs in a dataset's folder, and those of them that can be removed. */
final class DatasetContents {
    static final String RUNS = "runs";

    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
    private static final String RUN_FILE = "run.json";
    private static final long MAX_RUN_BYTES = 16L << 20;

    /** The order of removal: an artifact is removed before those that it was made from. */
    private static final List<ArtifactFormat> ORDER =
            List.of(ArtifactFormat.VERSION, ArtifactFormat.PLAN, ArtifactFormat.PREPARED);

    private record Commit(Path file, VersionCommit version) {}

    private final FileSystem fs;
    private final Path folder;
    /** The latest first. */
    private final List<Commit> commits = new ArrayList<>();
    /** Facts by the folder of the run, the newest first. */
    private final Map<Path, JsonNode> runs = new LinkedHashMap<>();

    private DatasetContents(FileSystem fs, Path folder) {
        this.fs = fs;
        this.folder = folder;
    }

    /** @return empty if it is not the folder of a dataset: it has no run */
    static Optional<DatasetContents> of(FileSystem fs, Path folder) {
        DatasetContents contents = new DatasetContents(fs, folder);
        contents.readRuns();
        if (contents.runs.isEmpty()) {
            return Optional.empty();
        }
        contents.readCommits();
        return Optional.of(contents);
    }

    String name() {
        return folder.getName();
    }

    private void readRuns() {
        List<Map.Entry<Path, JsonNode>> found = new ArrayList<>();
        for (Path run : folders(new Path(folder, RUNS))) {
            Path file = new Path(run, RUN_FILE);
            Storage.read(fs, file, MAX_RUN_BYTES).ifPresent(bytes -> {
                try {
                    found.add(Map.entry(run, StrictJson.parse(bytes, file.toString())));
                } catch (CorruptDataException e) {
                    // Half written by a process that was killed: it says nothing.
                    found.add(Map.entry(run, JsonNodeFactory.instance.objectNode()));
                }
            });
        }
        found.sort(Comparator.comparing((Map.Entry<Path, JsonNode> run) ->
                        run.getValue().path("startedAt").asText())
                .reversed());
        found.forEach(run -> runs.put(run.getKey(), run.getValue()));
    }

    private void readCommits() {
        List<Path> files = new ArrayList<>();
        for (FileStatus status : list(new Path(folder, VersionCommit.FOLDER))) {
            if (VersionCommit.number(status.getPath().getName()).isPresent()) {
                files.add(status.getPath());
            }
        }
        files.sort(Comparator.comparing(Path::getName).reversed());
        for (Path file : files) {
            try {
                Storage.read(fs, file, MAX_RUN_BYTES)
                        .ifPresent(bytes -> commits.add(new Commit(file, VersionCommit.parse(bytes, file.toString()))));
            } catch (CorruptDataException e) {
                // Incomplete: readers ignore it, too.
            }
        }
    }

    /** @throws EnvironmentException if a job that lives has a run of this dataset */
    void refuseRunning(String application) {
        for (Path run : folders(new Path(folder, RUNS))) {
            if (list(run).stream().anyMatch(status -> Claim.isClaim(status.getPath()))) {
                Claim.take(fs, run, application).close();
            }
        }
    }

    /**
     * Returns what can be removed if the latest versions and runs are kept, with everything that they were made from.
     *
     * @param keep how many versions and how many runs
     * @param mixtures by the folder of a version, the mixture that draws from it
     */
    List<Entry> removable(int keep, Map<Path, String> mixtures) {
        Set<Path> keptRuns = new HashSet<>(runs.keySet().stream().limit(keep).toList());
        Set<Path> needed = new HashSet<>();
        for (Commit commit : latest(keep)) {
            need(needed, ArtifactFormat.VERSION, commit.version().version());
            need(needed, ArtifactFormat.PLAN, commit.version().plan().orElse(""));
            runs.forEach((run, facts) -> {
                if (facts.path("runId").asText().equals(commit.version().run())) {
                    keptRuns.add(run);
                }
            });
        }
        runs.forEach((run, facts) -> {
            if (keptRuns.contains(run)) {
                need(needed, ArtifactFormat.PREPARED, facts.path("prepared").asText());
                need(needed, ArtifactFormat.PLAN, facts.path("plan").asText());
                need(needed, ArtifactFormat.VERSION, facts.path("version").asText());
            }
        });
        Set<Path> mixed = new HashSet<>(mixtures.keySet());
        mixed.removeAll(needed);
        folders(new Path(folder, ArtifactFormat.VERSION.folder())).stream()
                .filter(mixed::contains)
                .map(Path::getName)
                .forEach(version -> {
                    need(needed, ArtifactFormat.VERSION, version);
                    commits.stream()
                            .map(Commit::version)
                            .filter(commit -> commit.version().equals(version))
                            .flatMap(commit -> commit.plan().stream())
                            .forEach(plan -> need(needed, ArtifactFormat.PLAN, plan));
                });
        OpenFiles open = OpenFiles.find(fs);
        List<Entry> entries = new ArrayList<>();
        for (ArtifactFormat format : ORDER) {
            for (Path artifact : folders(new Path(folder, format.folder()))) {
                if (ID.matcher(artifact.getName()).matches()
                        && (mixed.contains(artifact) || !needed.contains(artifact))) {
                    Optional<String> keptBy = mixed.contains(artifact)
                            ? Optional.of("the mixture " + mixtures.get(artifact) + " draws from it")
                            : keeper(open, artifact);
                    boolean isComplete = manifest(artifact).isPresent();
                    entries.add(new Entry(format.folder(), artifact, bytes(artifact), isComplete, keptBy));
                }
            }
        }
        entries.addAll(0, formattedCopies(staying(entries), open));
        // Plans go before the versions that they draw from, as artifacts before those that they were made from.
        entries.addAll(0, OrderEntries.of(fs, folder, staying(entries)::contains, keptOrders(entries)));
        for (Path run : runs.keySet()) {
            if (!keptRuns.contains(run)) {
                entries.add(new Entry(RUNS, run, bytes(run), true, keeper(open, run)));
            }
        }
        return entries;
    }

    /** The formatted copies whose version does not stay, and the unfinished ones. */
    private List<Entry> formattedCopies(Set<String> versions, OpenFiles open) {
        List<Entry> entries = new ArrayList<>();
        for (Path copy : folders(new Path(folder, ArtifactFormat.FORMATTED.folder()))) {
            if (!ID.matcher(copy.getName()).matches()) {
                continue;
            }
            Optional<byte[]> manifest = manifest(copy);
            String file = new Path(copy, Manifest.FILE_NAME).toString();
            boolean stays = manifest.isPresent()
                    && ManifestJson.parse(manifest.get(), file).inputs().stream()
                            .anyMatch(input -> input instanceof ArtifactInput made && versions.contains(made.id()));
            if (!stays) {
                entries.add(new Entry(
                        ArtifactFormat.FORMATTED.folder(),
                        copy,
                        bytes(copy),
                        manifest.isPresent(),
                        keeper(open, copy)));
            }
        }
        return entries;
    }

    private static Optional<String> keeper(OpenFiles open, Path path) {
        return open.process(path).map(pid -> "process " + pid + " of this machine has it open");
    }

    /** The orders that commits of versions which stay name: a version's path stands for the first of them. */
    private Set<String> keptOrders(List<Entry> removable) {
        Set<String> stay = staying(removable);
        return commits.stream()
                .map(Commit::version)
                .filter(commit -> stay.contains(commit.version()))
                .flatMap(commit -> commit.order().stream())
                .collect(Collectors.toSet());
    }

    /** The ids of versions that stay: those that are needed, and those that something else keeps. */
    private Set<String> staying(List<Entry> removable) {
        Set<String> ids = new HashSet<>();
        folders(new Path(folder, ArtifactFormat.VERSION.folder())).forEach(version -> ids.add(version.getName()));
        removable.stream()
                .filter(entry -> entry.kind().equals(ArtifactFormat.VERSION.folder())
                        && entry.keptBy().isEmpty())
                .forEach(entry -> ids.remove(entry.folder().getName()));
        return ids;
    }

    /** The commits of the latest versions. */
    private List<Commit> latest(int versions) {
        Set<String> ids = new HashSet<>();
        List<Commit> latest = new ArrayList<>();
        for (Commit commit : commits) {
            if (ids.contains(commit.version().version()) || ids.size() < versions) {
                ids.add(commit.version().version());
                latest.add(commit);
            }
        }
        return latest;
    }

    /** Adds an artifact, and those that it was made from; nothing for the empty id of a run that made none. */
    private void need(Set<Path> needed, ArtifactFormat format, String id) {
        if (id.isEmpty()) {
            return;
        }
        Path artifact = new Path(new Path(folder, format.folder()), id);
        if (!needed.add(artifact)) {
            return;
        }
        manifest(artifact).ifPresent(bytes -> {
            String file = new Path(artifact, Manifest.FILE_NAME).toString();
            Manifest manifest = ManifestJson.parse(bytes, file, JsonLimits.ofManifestBelow(format.folder()));
            for (Input input : manifest.inputs()) {
                if (input instanceof ArtifactInput made) {
                    need(needed, made.format(), made.id());
                }
            }
        });
    }

    private Optional<byte[]> manifest(Path artifact) {
        JsonLimits limits = JsonLimits.ofManifestBelow(artifact.getParent().getName());
        return Storage.read(fs, new Path(artifact, Manifest.FILE_NAME), limits.maxBytes());
    }

    /**
     * Removes a folder. Readers go by the manifest, which goes first: the artifact is incomplete then, and not damaged.
     *
     * @throws EnvironmentException if a job that lives writes it
     */
    void remove(Entry entry, String application) {
        if (OrderEntries.isOne(entry)) {
            OrderEntries.remove(fs, entry);
            return;
        }
        Claim claim = Claim.take(fs, entry.folder(), application);
        try {
            for (Commit commit : commits) {
                if (entry.folder()
                        .equals(new Path(
                                new Path(folder, ArtifactFormat.VERSION.folder()),
                                commit.version().version()))) {
                    fs.delete(commit.file(), false);
                }
            }
            fs.delete(new Path(entry.folder(), Manifest.FILE_NAME), false);
            for (FileStatus status : list(entry.folder())) {
                if (!Claim.isClaim(status.getPath())) {
                    fs.delete(status.getPath(), true);
                }
            }
        } catch (IOException e) {
            throw Storage.failed("remove", entry.folder(), e);
        } finally {
            claim.close();
        }
    }

    private long bytes(Path path) {
        try {
            return fs.getContentSummary(path).getLength();
        } catch (IOException e) {
            throw Storage.failed("read", path, e);
        }
    }

    private List<Path> folders(Path parent) {
        return list(parent).stream()
                .filter(FileStatus::isDirectory)
                .map(FileStatus::getPath)
                .sorted()
                .toList();
    }

    private List<FileStatus> list(Path parent) {
        try {
            return List.of(fs.listStatus(parent));
        } catch (FileNotFoundException e) {
            return List.of();
        } catch (IOException e) {
            throw Storage.failed("read", parent, e);
        }
    }
}
