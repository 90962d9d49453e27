package io.rankfeed.feeder.importing;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.console.Console;
import io.rankfeed.console.LogLines;
import io.rankfeed.console.LogOption;
import io.rankfeed.console.LowerCaseWord;
import io.rankfeed.console.ProgressOption;
import io.rankfeed.feeder.plan.ImportedPlan;
import io.rankfeed.feeder.sync.SyncProgress;
import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.ExternalFile;
import io.rankfeed.importing.write.ImportSource;
import io.rankfeed.importing.write.ImportedVersion;
import io.rankfeed.importing.write.VersionStage;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.run.DatasetNames;
import io.rankfeed.schema.store.LocalFiles;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a version over an existing dataset of another format, without a copy of its samples. */
@Command(
        name = "import",
        sortOptions = false,
        customSynopsis = "rankfeed import [OPTIONS] PATH --as DATASET --root ROOT",
        description = {
            "Make a version over an existing dataset of another format, without Spark and without a copy of its samples:"
                    + " arrays of NumPy (npy), feature stores of ENN (enn), files of images (image-mmap), Arrow files and"
                    + " folders of Hugging Face (huggingface), tar shards (webdataset), token files (megatron), folders of"
                    + " images (images). Reads every file once for its SHA-256. The files have to stay where they are,"
                    + " unchanged.",
            "",
            "A damaged sample is left out, and listed in damaged.jsonl of the version. An import of the same files gives"
                    + " the same version and id."
        },
        exitCodeList = "0:imported",
        footer = {
            "  rankfeed import /data/imagenet --as imagenet --root /data/out --strata folder",
            "  rankfeed import /data/shards --as web --root /data/out --columns jpg,cls --dry-run"
        })
public final class ImportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PATH", description = "The folder of the dataset, or its only file.")
    private String path = "";

    @Option(names = "--as", paramLabel = "DATASET", required = true, description = "Name of the dataset below ROOT.")
    private String dataset = "";

    @Option(
            names = "--root",
            paramLabel = "ROOT",
            required = true,
            description = "Folder for the dataset, as root of a job file; local or mounted.")
    private String root = "";

    @Option(
            names = "--format",
            paramLabel = "NAME",
            description = "Format of the dataset. Default: the format of the first folder with a known file.")
    private Optional<String> format = Optional.empty();

    @Option(
            names = "--columns",
            paramLabel = "NAMES",
            split = ",",
            hideParamSyntax = true,
            description = "Columns to feed, separated by commas. Default: all.")
    private List<String> columns = new ArrayList<>();

    @Option(
            names = "--strata",
            paramLabel = "COLUMN|folder|FILE",
            description = "Divide the samples by a column of integers, booleans or texts up to 256 bytes, by their"
                    + " folder, or by a .json file: {sample: stratum}, or a list with a stratum for each sample."
                    + " May be repeated. Default: one stratum.")
    private List<String> strata = new ArrayList<>();

    @Option(
            names = "--key",
            paramLabel = "COLUMN",
            description = "Column whose values identify samples, so that they keep their places in the order when files"
                    + " are renamed. Default: path and number of the sample.")
    private Optional<String> key = Optional.empty();

    @Option(
            names = "--lanes",
            paramLabel = "V",
            description = "Lanes of the version; world sizes that divide them can be fed. Default: 64, or the largest"
                    + " power of two that is not more than the samples of the smallest stratum, at least 8 if there"
                    + " are as many samples.")
    private Optional<Integer> lanes = Optional.empty();

    @Option(
            names = "--batch",
            paramLabel = "G",
            description = "Rows of a global batch of the default order, a multiple of the lanes. Default: the lanes.")
    private Optional<Integer> batch = Optional.empty();

    @Option(
            names = "--order",
            paramLabel = "hash|table",
            converter = OrderConverter.class,
            description = "Order of the rows in lanes: a shuffled one (hash), or that of the files (table), for plans"
                    + " with order: planned. Default: hash.")
    private ListWord order = ListWord.HASH;

    @Option(
            names = "--on-damage",
            paramLabel = "skip|fail",
            converter = DamageConverter.class,
            description = "Leave damaged samples out (skip), or end with exit code 3 (fail). Default: skip.")
    private OnDamage onDamage = OnDamage.SKIP;

    @Option(names = "--dry-run", description = "List the samples and report, and write nothing.")
    private boolean isDryRun;

    @Mixin
    private final ReportOutput output = new ReportOutput();

    @Mixin
    private final ProgressOption progress = new ProgressOption();

    @Mixin
    private final LogOption logOption = new LogOption();

    /** The orders of rows in lanes. */
    enum ListWord {
        HASH,
        TABLE
    }

    /** What damaged samples cause. */
    enum OnDamage {
        SKIP,
        FAIL
    }

    static final class OrderConverter extends LowerCaseWord<ListWord> {
        OrderConverter() {
            super(ListWord.values());
        }
    }

    static final class DamageConverter extends LowerCaseWord<OnDamage> {
        DamageConverter() {
            super(OnDamage.values());
        }
    }

    @Override
    public Integer call() {
        output.requireNoPictures("import");
        DatasetNames.fault(dataset).ifPresent(why -> {
            throw new ConfigException("--as " + dataset + ": " + why);
        });
        if (!columns.isEmpty() && !columns.containsAll(key.stream().toList())) {
            throw new ConfigException(
                    "--key " + key.orElseThrow() + ": --columns leaves this column out; add it there");
        }
        Path folder = local("--root ", root).normalize().resolve(dataset);
        LogLines log = logOption.start();
        int threads = Runtime.getRuntime().availableProcessors();
        ImportSource source = ImportSource.open(local("PATH ", path), format);
        if (source.root().path().startsWith(folder)) {
            throw new ConfigException(path + " is in " + folder + ", where the versions of dataset " + dataset
                    + " are written; choose another --as or --root");
        } else if (source.root().contains(folder)) {
            throw new ConfigException(
                    "--root " + root + " is in the dataset " + source.root().path()
                            + ", and a later import would read what this one writes; choose a folder outside of it");
        }
        try (SyncProgress looked =
                SyncProgress.ofFiles("import: check files", source.count(), logOption.style(progress), log)) {
            source.stamp(threads, () -> looked.add(1));
        }
        DatasetIndex index;
        try (SyncProgress listed = start("import: list samples", source, log)) {
            index = source.index(new LinkedHashSet<>(columns), threads, part -> listed.add(source.bytesOf(part)));
        }
        refuseDamage(index, source);
        ImportOptions options = new ImportOptions(dataset, strata, key, lanes, order == ListWord.TABLE);
        ImportedVersion version = options.version(index, source.root());
        int rows = batch.orElse(version.feed().lanes());
        // The numbers do not depend on the id, and show whether there is such an order.
        ImportedPlan planned = ImportedPlan.of(dataset, OrderId.NONE, version.feed(), rows);
        Report report = new Report();
        if (isDryRun) {
            report.answer("dry run: nothing was written");
        } else {
            write(folder, source, version, rows, threads, log, report);
        }
        ImportReport.describe(report, source, version, planned);
        output.print(report, spec.commandLine());
        if (!isDryRun && !output.isJson()) {
            Console.print(
                    spec.commandLine().getErr(), "next: rankfeed plan " + folder + "@latest --set seed=1 --name seed1");
        }
        return 0;
    }

    private SyncProgress start(String what, ImportSource source, LogLines log) {
        return SyncProgress.start(what, source.bytes(), logOption.style(progress), log);
    }

    private void write(
            Path folder,
            ImportSource source,
            ImportedVersion version,
            int rows,
            int threads,
            LogLines log,
            Report report) {
        // Before minutes of reading: the root may not be writable.
        try (VersionStage stage = VersionStage.begin(folder)) {
            List<ExternalFile> files;
            try (SyncProgress read = start("import: read files", source, log)) {
                files = source.read(threads, read::add);
            }
            String id = version.write(stage, source.root().path(), files, threads);
            ImportedPlan plan = ImportedPlan.of(dataset, id, version.feed(), rows);
            new ImportCommit(folder).add(id, plan.order(), job(source, version, rows));
            report.answer("version " + id + ": " + stage.version(id));
            report.fact("version", id)
                    .fact("path", stage.version(id).toString())
                    .fact("order", plan.order().plan());
        }
    }

    private void refuseDamage(DatasetIndex index, ImportSource source) {
        boolean isNoneWhole = index.wholeRows() == 0;
        if (isNoneWhole || onDamage == OnDamage.FAIL) {
            index.indexed().stream()
                    .flatMap(part -> part.damages().named().stream())
                    .findFirst()
                    .ifPresent(first -> {
                        throw new CorruptDataException(
                                source.root().shown(first.file()),
                                first.offset(),
                                first.what() + "; damaged: " + Plural.counted(index.damaged(), "sample")
                                        + (isNoneWhole
                                                ? ", and none is whole; repair them, or write the files again"
                                                : "; repair them, or import with --on-damage skip"));
                    });
        }
    }

    private ObjectNode job(ImportSource source, ImportedVersion version, int rows) {
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        ObjectNode options = job.putObject("import")
                .put("path", source.root().path().toString())
                .put("format", source.format())
                .put("lanes", version.feed().lanes())
                .put("batch", rows)
                .put("order", order == ListWord.TABLE ? "table" : "hash");
        version.index().schema().names().forEach(options.putArray("columns")::add);
        strata.forEach(options.putArray("strata")::add);
        key.ifPresent(column -> options.put("key", column));
        return job;
    }

    private static Path local(String option, String words) {
        String location = LocalFiles.withoutScheme(words);
        if (location.isBlank()) {
            throw new ConfigException(option + "is empty; give a folder of this machine");
        } else if (location.matches("[A-Za-z][A-Za-z0-9+.-]*:/.*")) {
            throw new ConfigException(option + words
                    + ": is an address, and import reads and writes files of this machine; mount the store");
        }
        try {
            if (location.indexOf('\uFFFD') < 0) {
                return Path.of(location).toAbsolutePath();
            }
        } catch (InvalidPathException e) {
            // It is of another locale, too.
        }
        throw new ConfigException(option + words + ": is not valid in this locale; set LC_ALL=C.UTF-8, or rename it");
    }
}
