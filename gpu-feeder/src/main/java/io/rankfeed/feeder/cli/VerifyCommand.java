package io.rankfeed.feeder.cli;

import io.rankfeed.console.Console;
import io.rankfeed.console.LogLines;
import io.rankfeed.console.LogOption;
import io.rankfeed.console.ProgressOption;
import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.feeder.cache.LaneFileName;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.LaneVerifier;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.plan.ExternalOption;
import io.rankfeed.feeder.plan.NamedOrder;
import io.rankfeed.feeder.plan.PlanOption;
import io.rankfeed.feeder.ranks.RankList;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.feeder.sync.ExternalCheck;
import io.rankfeed.feeder.sync.NodeCopy;
import io.rankfeed.feeder.sync.SyncProgress;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.mixture.MixtureCheck;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.run.MixtureName;
import io.rankfeed.schema.store.LocalFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads every byte of an artifact and says what is damaged, and where. */
@Command(
        name = "verify",
        sortOptions = false,
        customSynopsis = "rankfeed verify [OPTIONS] PATH",
        description =
                "Read every byte of a prepared table, a plan, a version or a copy in another format and check it against its"
                        + " manifest: length and SHA-256 of each file; of a version also the structure of each lane, its number of rows,"
                        + " the CRC32C of each record batch, every offset and the longest row of each column. Of a"
                        + " mixture, compare its file with its id and with the versions of its members, and check these"
                        + " versions. Of a copy in a feeder's cache, check the lanes that were copied, and list the"
                        + " others. Of an imported version, also compare the files that it is over with their SHA-256;"
                        + " where all are equal, their times are accepted from then on, and later"
                        + " feeds of this copy read them where they are now. Names the file and the byte of each damage.",
        exitCodeList = {"0:intact"},
        footer = "  rankfeed verify /data/out/codecontests/versions/0123456789abcdef")
public final class VerifyCommand implements Callable<Integer> {
    private static final int EXIT_INTACT = 0;
    private static final int EXIT_REFUSED = 2;
    private static final int EXIT_DAMAGED = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description = "The artifact's folder, the one with manifest.json; or a mixture, as in ROOT/mixtures/NAME.")
    private String words = "";

    @Mixin
    private PlanOption plan = new PlanOption();

    @Option(
            names = "--ranks",
            paramLabel = "LIST",
            description = "Only the lanes of these ranks, as in 0-3,6, for a copy that has no others; requires --world."
                    + " Default: every lane, or in a feeder's cache those that it has copied.")
    private Optional<String> ranks = Optional.empty();

    @Option(names = "--world", paramLabel = "N", description = "Number of ranks; requires --ranks.")
    private int world;

    @Mixin
    private ExternalOption external = new ExternalOption();

    @Mixin
    private ProgressOption progressOption = new ProgressOption();

    @Mixin
    private LogOption logOption = new LogOption();

    @Override
    public Integer call() {
        LogLines log = logOption.start();
        Path path = VersionLocation.local(words, "verify");
        if (MixtureName.isAt(path.toString(), LocalFiles.INSTANCE)) {
            MixtureName.refusePlan(plan.written(), words);
            return mixture(MixtureName.at(path.toString(), LocalFiles.INSTANCE), log);
        } else if (!Files.isDirectory(path) || Files.notExists(path.resolve("manifest.json"))) {
            throw new ConfigException(path + ": no artifact is there; give the folder that holds a manifest.json, or a"
                    + " mixture, as in ROOT/mixtures/NAME");
        }
        ArtifactFolder folder = ArtifactFolder.at(path);
        Manifest manifest = ManifestJson.read(folder.root());
        // Lanes follow from the version alone; a plan over it is checked if it is named.
        Optional<OpenVersion> version = manifest.format() != ArtifactFormat.VERSION
                ? Optional.empty()
                : Optional.of(plan.written().isPresent() ? plan.open(words, folder) : OpenVersion.open(folder));
        if (version.isEmpty() && plan.written().isPresent()) {
            throw new ConfigException("--plan requires a version, and " + path + " is not one");
        }
        if (manifest.format() == ArtifactFormat.PLAN) {
            OrderJson.read(folder.root().resolve(Order.FILE_NAME));
        }
        Map<String, Path> elsewhere = external.of(version.stream().map(OpenVersion::manifest));
        return artifact(folder, manifest, version, elsewhere, "", log) ? EXIT_INTACT : EXIT_DAMAGED;
    }

    /**
     * Checks each version of a mixture, whose own file was compared with its id.
     *
     * @return the exit code: that of corrupted data, or else of a version that is missing or refused
     */
    private int mixture(MixtureName mixture, LogLines log) {
        Map<String, OpenVersion> versions = new HashMap<>();
        Map<OpenVersion, List<String>> members = new LinkedHashMap<>();
        int missing = 0;
        int refused = 0;
        int damaged = 0;
        for (Member member : mixture.mixture().feed().members()) {
            try {
                OpenVersion version = versions.computeIfAbsent(
                        mixture.version(member.source().orElseThrow()), folder -> NamedOrder.version(mixture, member));
                MixtureCheck.requireMember(member, version.stated(), mixture.file());
                members.computeIfAbsent(version, unnamed -> new ArrayList<>()).add(member.name());
            } catch (ConfigException e) {
                Path manifest = Path.of(mixture.version(member.source().orElseThrow()), Manifest.FILE_NAME);
                boolean isMissing = Files.notExists(manifest);
                missing += isMissing ? 1 : 0;
                refused += isMissing ? 0 : 1;
                Console.print(spec.commandLine().getErr(), e.getMessage());
            } catch (CorruptDataException e) {
                damaged++;
                Console.print(spec.commandLine().getErr(), "member " + member.name() + ": " + e.getMessage());
            }
        }
        if (missing + refused + damaged == 0) {
            // Columns are compared last, as they are those of all versions.
            OpenOrder.of(mixture.mixture(), member -> NamedOrder.version(mixture, member), mixture.file());
        }
        Map<String, Path> elsewhere = external.of(members.keySet().stream().map(OpenVersion::manifest));
        for (Map.Entry<OpenVersion, List<String>> member : members.entrySet()) {
            OpenVersion version = member.getKey();
            String prefix = "member " + String.join(", ", member.getValue()) + ": ";
            ArtifactFolder folder = ArtifactFolder.at(version.folder());
            damaged += artifact(folder, version.manifest(), Optional.of(version), elsewhere, prefix, log) ? 0 : 1;
        }
        String state = (missing > 0 ? ", " + missing + " MISSING" : "")
                + (refused > 0 ? ", " + refused + " REFUSED" : "")
                + (damaged > 0 ? ", " + damaged + " DAMAGED" : "");
        spec.commandLine()
                .getOut()
                .println("mixture " + mixture.mixture().id() + ": "
                        + Plural.counted(mixture.mixture().feed().members().size(), "member") + ", "
                        + Plural.counted(members.size(), "version") + ": "
                        + (state.isEmpty() ? "intact" : state.substring(2)));
        return damaged > 0 ? EXIT_DAMAGED : missing + refused > 0 ? EXIT_REFUSED : EXIT_INTACT;
    }

    /** Checks an artifact, and prints what is damaged; returns whether it is intact. */
    private boolean artifact(
            ArtifactFolder folder,
            Manifest manifest,
            Optional<OpenVersion> version,
            Map<String, Path> elsewhere,
            String prefix,
            LogLines log) {
        long startNanos = System.nanoTime();
        List<ArtifactFile> selected = selected(manifest);
        List<ArtifactFile> lacking = version.flatMap(copied -> NodeCopy.at(folder.root(), copied.manifest()))
                .map(copy -> copy.lacking(selected, ranks.isPresent()))
                .orElse(List.of());
        if (!lacking.isEmpty()) {
            spec.commandLine()
                    .getOut()
                    .println(prefix + "copy of a node, without " + NodeCopy.words(lacking) + ", which it never copied");
        }
        Set<ArtifactFile> without = Set.copyOf(lacking);
        List<ArtifactFile> files =
                selected.stream().filter(file -> !without.contains(file)).toList();
        ArtifactCheck check = new ArtifactCheck(folder, manifest, files, version.map(LaneVerifier::new));
        List<String> damages;
        try (SyncProgress progress =
                SyncProgress.start("verify " + manifest.id(), check.bytes(), logOption.style(progressOption), log)) {
            damages = check.run(progress);
        }
        damages.forEach(damage -> Console.print(spec.commandLine().getErr(), prefix + damage));
        double seconds = Math.max(System.nanoTime() - startNanos, 1) / 1e9;
        spec.commandLine().getOut().println(prefix + check.line(seconds));
        return damages.isEmpty()
                && (!isOverFiles(manifest) || external(folder, version.orElseThrow(), elsewhere, prefix, log));
    }

    private static boolean isOverFiles(Manifest manifest) {
        return manifest instanceof Manifest.Version version
                && version.external().isPresent();
    }

    /** Checks the files that an intact version is over, and prints which differ; returns whether none does. */
    private boolean external(
            ArtifactFolder folder, OpenVersion version, Map<String, Path> elsewhere, String prefix, LogLines log) {
        long startNanos = System.nanoTime();
        Manifest.Version manifest = version.manifest();
        ExternalCheck check =
                new ExternalCheck(folder.root(), manifest, Optional.ofNullable(elsewhere.get(manifest.dataset())));
        List<String> damages;
        try (SyncProgress progress = SyncProgress.start(
                "verify files of " + manifest.dataset(), check.bytes(), logOption.style(progressOption), log)) {
            damages = check.run(progress, ArtifactCheck.threads());
        }
        damages.forEach(damage -> Console.print(spec.commandLine().getErr(), prefix + damage));
        long files = manifest.external().orElseThrow().files();
        spec.commandLine()
                .getOut()
                .println(prefix
                        + String.format(
                                Locale.ROOT,
                                "files of dataset %s: %s, %s: %s (%.1f s)",
                                manifest.dataset(),
                                Plural.counted(files, "file"),
                                ByteSize.rounded(check.bytes()),
                                damages.isEmpty() ? "those that were imported" : damages.size() + " DIFFER",
                                Math.max(System.nanoTime() - startNanos, 1) / 1e9));
        return damages.isEmpty();
    }

    private List<ArtifactFile> selected(Manifest manifest) {
        if (ranks.isEmpty() && world == 0) {
            return manifest.files();
        }
        if (ranks.isEmpty() || world < 1) {
            throw new ConfigException("--ranks and --world go together; write both, as --ranks 0-3 --world 8");
        }
        LaneSelection lanes = new LaneSelection(List.copyOf(RankList.parse(ranks.get())), world);
        return manifest.files().stream()
                .filter(file ->
                        LaneFileName.parse(file.path()).map(lanes::contains).orElse(true))
                .toList();
    }
}
