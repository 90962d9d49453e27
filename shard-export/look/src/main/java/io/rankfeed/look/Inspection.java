package io.rankfeed.look;

import io.rankfeed.export.petastorm.CommonMetadata;
import io.rankfeed.export.petastorm.Unischema;
import io.rankfeed.report.LanesReport;
import io.rankfeed.report.MixtureReport;
import io.rankfeed.report.OrderReport;
import io.rankfeed.report.Report;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.mixture.MixtureCheck;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.PlanCheck;
import io.rankfeed.schema.run.MixtureName;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.schema.run.VersionName;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Finds out what is at a path, and has it described. */
public final class Inspection {
    static final String RUNS = "runs";

    private final Store store;
    private final String path;
    private final Optional<ByteSize> block;

    private Inspection(Store store, String path, Optional<ByteSize> block) {
        this.store = store;
        this.path = path;
        this.block = block;
    }

    /**
     * Describes what is at a path.
     *
     * @param words the path, or a version by its run
     * @param block the size to compare row groups with, if not the table's own
     * @param warn gets warnings for the user
     * @throws ConfigException if there is nothing, or nothing known
     * @throws CorruptDataException if what is there is damaged
     */
    static Report of(String words, Optional<ByteSize> block, Store.Finder stores, Consumer<String> warn) {
        String path = path(words, stores, warn);
        Store store = stores.of(path);
        Optional<MixtureName> mixture = mixture(path, store);
        if (mixture.isPresent()) {
            Report report = new Report().answer("mixture: " + path);
            MixtureReport.describe(report, mixture.get().mixture());
            return report;
        }
        StoredFile found = store.find(path).orElseThrow(() -> new ConfigException("nothing exists at " + path));
        return new Inspection(store, found.path(), block).report(found);
    }

    /**
     * Reads a mixture, without the versions of its members.
     *
     * @param words the path of its folder, of its file, or of its name
     * @param warn gets warnings for the user
     * @return empty if something else is there
     * @throws CorruptDataException if it is damaged
     */
    public static Optional<MixtureName> mixture(String words, Store.Finder stores, Consumer<String> warn) {
        String path = path(words, stores, warn);
        return mixture(path, stores.of(path));
    }

    private static Optional<MixtureName> mixture(String path, Store store) {
        return MixtureName.isAt(path, store) ? Optional.of(MixtureName.at(path, store)) : Optional.empty();
    }

    /**
     * Opens a plan or a version.
     *
     * @param words the path of its folder, or a version by its run
     * @param warn gets warnings for the user
     * @throws ConfigException if there is nothing, or something else
     * @throws CorruptDataException if it is damaged
     */
    public static Artifact planned(String words, Store.Finder stores, Consumer<String> warn) {
        String path = path(words, stores, warn);
        Store store = stores.of(path);
        if (store.find(path + "/" + Manifest.FILE_NAME).isEmpty()) {
            throw new ConfigException(
                    path
                            + " is neither a plan nor a version: it has no manifest.json; give a folder below plans/ or versions/");
        }
        Artifact artifact =
                Artifact.open(store, store.find(path).map(StoredFile::path).orElse(path));
        if (artifact.is(ArtifactFormat.PREPARED)) {
            throw new ConfigException(path + " is a prepared table; give the folder of a plan or a version");
        } else if (artifact.is(ArtifactFormat.FORMATTED)) {
            throw new ConfigException(
                    path + " has the rows of a version in another format; give the folder of the version");
        }
        return artifact;
    }

    /**
     * The order of a plan, of a version, of a plan over a version, or of a mixture that is one of the versions below its root.
     *
     * @param words the path of its folder, or a version by its run; or the folder or file of a plan over a version or of a mixture
     * @param plan over the version at {@code words}, as the user names it
     * @throws ConfigException if there is nothing, or something else, or the version of a member is missing
     * @throws CorruptDataException if it is damaged, or a mixture and its versions contradict each other
     */
    public static Order order(String words, Optional<String> plan, Store.Finder stores, Consumer<String> warn) {
        VersionName.Located found = located(words, stores, warn);
        String path = found.folder();
        Store store = stores.of(path);
        Optional<MixtureName> mixture = mixture(path, store);
        if (mixture.isPresent()) {
            MixtureName.refusePlan(plan, path);
            return checked(mixture.get(), store);
        } else if (isOverVersion(store, path)) {
            if (plan.isPresent()) {
                throw new ConfigException("--plan requires a version, and " + path + " is a plan");
            }
            return OrderName.at(path, store);
        }
        Artifact artifact = planned(path, stores, warn);
        Optional<String> named = plan.or(found::order);
        if (named.isEmpty()) {
            return artifact.order();
        } else if (!artifact.is(ArtifactFormat.VERSION)) {
            throw new ConfigException("--plan requires a version, and " + path + " is a plan");
        }
        Order over = OrderName.read(named.get(), artifact.folder(), stores);
        PlanCheck.require(over, artifact.stored(), artifact.version(), named.get());
        return over;
    }

    private static Order checked(MixtureName mixture, Store store) {
        MixtureCheck.require(
                mixture.mixture(),
                member -> {
                    String folder = mixture.version(member.source().orElseThrow());
                    if (store.find(folder + "/" + Manifest.FILE_NAME).isEmpty()) {
                        throw mixture.missing(member, new ConfigException(folder + ": no version is there"));
                    }
                    Artifact version = Artifact.open(store, folder);
                    return new MixtureCheck.Stated(folder, version.version(), version.stored());
                },
                mixture.file());
        return mixture.mixture().order();
    }

    /**
     * Whether a plan over a version is at a path, and not the version itself.
     *
     * @param words the path of its folder, of its file, or of its name; or a version by its run
     */
    public static boolean isOverVersion(String words, Store.Finder stores, Consumer<String> warn) {
        String path = path(words, stores, warn);
        return isOverVersion(stores.of(path), path);
    }

    private static boolean isOverVersion(Store store, String path) {
        String folder = Store.name(path).equals(Order.FILE_NAME) ? Store.folder(path) : path;
        return (store.find(folder + "/" + Order.FILE_NAME).isPresent()
                        && store.find(folder + "/" + Manifest.FILE_NAME).isEmpty())
                || OrderName.isName(path, store);
    }

    private static String path(String words, Store.Finder stores, Consumer<String> warn) {
        return located(words, stores, warn).folder();
    }

    private static VersionName.Located located(String words, Store.Finder stores, Consumer<String> warn) {
        return VersionName.parse(words)
                .map(name -> name.located(stores.of(name.dataset()), warn))
                .orElseGet(() -> new VersionName.Located(words.replaceFirst("(?<=[^/])/+$", ""), Optional.empty()));
    }

    private Report report(StoredFile found) {
        if (isOverVersion(store, path)) {
            Report report = new Report().answer("plan over a version: " + path);
            OrderReport.describe(report, OrderName.at(path, store));
            return report;
        }
        if (!found.isFolder()) {
            return file(found);
        }
        if (store.find(path + "/" + Manifest.FILE_NAME).isPresent()) {
            return artifact(path);
        }
        Report report = new Report();
        String run = path + "/" + RunReport.FILE_NAME;
        if (store.find(run).isPresent()) {
            RunReport.describe(report, store, run);
            return report;
        }
        if (isArtifactFolder()) {
            throw new CorruptDataException(path, "has no manifest.json: an unfinished attempt; run its job again");
        } else if (isDataset()) {
            DatasetReport.describe(report, store, path);
            return report;
        }
        return table(report);
    }

    private Report file(StoredFile file) {
        if (file.name().equals(Manifest.FILE_NAME)) {
            return artifact(Store.folder(path));
        } else if (file.name().equals(RunReport.FILE_NAME)) {
            Report report = new Report();
            RunReport.describe(report, store, path);
            return report;
        } else if (!file.name().endsWith(".parquet")) {
            throw new ConfigException(
                    path + " is a file of no kind that inspect knows; give a folder, or a .parquet file");
        }
        Report report = new Report().answer("Parquet file " + path);
        report.fact("kind", "Parquet file").fact("path", path);
        ParquetReport.foreign(report, ParquetReport.read(store, List.of(file)), block, path);
        return report;
    }

    private Report artifact(String folder) {
        Report report = new Report();
        Artifact artifact = Artifact.open(store, folder);
        if (artifact.is(ArtifactFormat.PREPARED)) {
            PreparedReport.describe(report, artifact, block);
            return report;
        }
        artifact.describe(report);
        artifact.describeFiles(report);
        if (artifact.is(ArtifactFormat.VERSION)) {
            LanesReport.describe(report, artifact.manifest(), artifact.stored());
        }
        if (artifact.is(ArtifactFormat.FORMATTED) || (artifact.isCopy() && !artifact.hasOwnOrder())) {
            return report;
        }
        try {
            OrderReport.describe(report, artifact.order());
        } catch (ConfigException e) {
            // The rows that a version stores do not depend on its order.
            report.answer("order: none; " + e.getMessage());
        }
        if (artifact.is(ArtifactFormat.PLAN)) {
            OrderReport.decisions(report, artifact.plan().decisions());
        }
        return report;
    }

    private Report table(Report report) {
        List<StoredFile> files = store.files(path).stream()
                .filter(file -> file.name().endsWith(".parquet"))
                .toList();
        if (files.isEmpty()) {
            throw new ConfigException(path + " holds no Parquet file, no artifact and no dataset of rankfeed");
        }
        List<ParquetFile> intact = ParquetReport.readIntact(store, files, report);
        if (intact.isEmpty()) {
            return report;
        }
        boolean delta = store.find(path + "/_delta_log").isPresent();
        String kind = delta ? "Delta table (every file of it, those its log removed too)" : "Parquet directory";
        report.answer(String.format(Locale.ROOT, "%s %s", kind, path));
        report.fact("kind", kind).fact("path", path);
        unischema(report, intact);
        ParquetReport.foreign(report, intact, block, path);
        return report;
    }

    /** Checks a Petastorm dataset: whether its Unischema can be read and its files have the fields. */
    private void unischema(Report report, List<ParquetFile> files) {
        String file = path + "/" + CommonMetadata.FILE_NAME;
        if (store.find(file).isEmpty()) {
            return;
        }
        try {
            Unischema schema = CommonMetadata.find(store.read(file, CommonMetadata.MAX_FILE_BYTES), file)
                    .orElse(null);
            if (schema == null) {
                return;
            }
            report.answer(String.format(
                    Locale.ROOT,
                    "Unischema %s of %s",
                    schema.name(),
                    Plural.counted(schema.fieldNames().size(), "field")));
            report.fact("unischema", schema.name()).fact("unischemaFields", schema.fieldNames());
            for (ParquetFile one : files) {
                Set<String> columns = new HashSet<>();
                one.schema().columns().forEach(column -> columns.add(column.name()));
                // A folder named column=value gives its files a column.
                Pattern.compile("([^/=]+)=[^/]*/")
                        .matcher(one.name())
                        .results()
                        .forEach(part -> columns.add(part.group(1)));
                List<String> missing = schema.missingFrom(columns);
                if (!missing.isEmpty()) {
                    report.damage(one.name() + ": has no column " + String.join(", ", missing)
                            + ", which the Unischema requires");
                }
            }
        } catch (CorruptDataException e) {
            report.damage(String.valueOf(e.getMessage()));
        }
    }

    private boolean isDataset() {
        return store.entries(path).stream()
                .filter(StoredFile::isFolder)
                .map(StoredFile::name)
                .anyMatch(name -> name.equals(RUNS) || isFormatFolder(name));
    }

    private boolean isArtifactFolder() {
        return Store.name(path).matches("[0-9a-f]{16}") && isFormatFolder(Store.name(Store.folder(path)));
    }

    private static boolean isFormatFolder(String name) {
        return Arrays.stream(ArtifactFormat.values())
                .anyMatch(format -> format.folder().equals(name));
    }
}
