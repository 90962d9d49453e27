package io.rankfeed.spark.inspect;

import io.rankfeed.export.petastorm.CommonMetadata;
import io.rankfeed.export.petastorm.Unischema;
import io.rankfeed.export.store.HadoopFiles;
import io.rankfeed.report.LanesReport;
import io.rankfeed.report.OrderReport;
import io.rankfeed.report.Report;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.run.VersionName;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** Finds out what is at a path, and has it described. */
final class Inspection {
    private static final String RUNS = "runs";

    private final FileTree tree;
    private final Path path;
    private final Optional<ByteSize> block;

    private Inspection(FileTree tree, Path path, Optional<ByteSize> block) {
        this.tree = tree;
        this.path = path;
        this.block = block;
    }

    /**
     * @param block the size to compare row groups with, if not the table's own
     * @throws ConfigException if there is nothing, or nothing known
     * @throws CorruptDataException if what is there is damaged
     */
    static Report of(String path, Optional<ByteSize> block, Configuration conf) {
        Path written = path(path, conf);
        FileTree tree = FileTree.of(written, conf);
        return new Inspection(tree, tree.fs().makeQualified(written), block).report();
    }

    /**
     * The order of a plan or a version.
     *
     * @param path its folder
     * @throws ConfigException if there is nothing, or something else
     * @throws CorruptDataException if it is damaged
     */
    static Order order(String path, Configuration conf) {
        return planned(path, conf).order();
    }

    /** A plan or a version. Fails as {@link #order} does. */
    static Artifact planned(String path, Configuration conf) {
        Path folder = path(path, conf);
        FileTree tree = FileTree.of(folder, conf);
        if (tree.status(new Path(folder, Manifest.FILE_NAME)).isEmpty()) {
            throw new ConfigException(
                    FileTree.name(folder)
                            + " is neither a plan nor a version: it has no manifest.json; give a folder below plans/ or versions/");
        }
        Artifact artifact = Artifact.open(tree, tree.fs().makeQualified(folder));
        if (artifact.is(ArtifactFormat.PREPARED)) {
            throw new ConfigException(
                    FileTree.name(folder) + " is a prepared table; give the folder of a plan or a version");
        }
        return artifact;
    }

    private static Path path(String written, Configuration conf) {
        try {
            return new Path(VersionName.parse(written)
                    .map(name -> name.folder(
                            HadoopFiles.of(name.dataset(), conf), line -> System.err.println("rankfeed: " + line)))
                    .orElse(written));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("'" + written + "' is not a path: " + e.getMessage(), e);
        }
    }

    private Report report() {
        FileStatus status =
                tree.status(path).orElseThrow(() -> new ConfigException("nothing exists at " + FileTree.name(path)));
        if (status.isFile()) {
            return file(status);
        }
        if (tree.status(new Path(path, Manifest.FILE_NAME)).isPresent()) {
            return artifact(path);
        }
        Report report = new Report();
        Path run = new Path(path, RunReport.FILE_NAME);
        if (tree.status(run).isPresent()) {
            RunReport.describe(report, tree, run);
            return report;
        }
        if (isArtifactFolder()) {
            throw new CorruptDataException(
                    FileTree.name(path), "has no manifest.json: an unfinished attempt; run its job again");
        } else if (isDataset()) {
            DatasetReport.describe(report, tree, path);
            return report;
        }
        return table(report);
    }

    private Report file(FileStatus status) {
        if (path.getName().equals(Manifest.FILE_NAME)) {
            return artifact(path.getParent());
        } else if (path.getName().equals(RunReport.FILE_NAME)) {
            Report report = new Report();
            RunReport.describe(report, tree, path);
            return report;
        } else if (!path.getName().endsWith(".parquet")) {
            throw new ConfigException(FileTree.name(path)
                    + " is a file of no kind that inspect knows; give a folder, or a .parquet file");
        }
        Report report = new Report().answer("Parquet file " + FileTree.name(path));
        report.fact("kind", "Parquet file").fact("path", FileTree.name(path));
        ParquetReport.foreign(report, ParquetReport.read(tree, List.of(status)), block, path);
        return report;
    }

    private Report artifact(Path folder) {
        Report report = new Report();
        Artifact artifact = Artifact.open(tree, folder);
        if (artifact.is(ArtifactFormat.PREPARED)) {
            PreparedReport.describe(report, artifact, block);
            return report;
        }
        artifact.describe(report);
        artifact.files();
        Order order = artifact.order();
        if (artifact.is(ArtifactFormat.VERSION)) {
            LanesReport.describe(report, artifact.manifest(), order);
        }
        OrderReport.describe(report, order);
        if (artifact.is(ArtifactFormat.PLAN)) {
            OrderReport.decisions(report, artifact.plan().decisions());
        }
        return report;
    }

    private Report table(Report report) {
        List<FileStatus> files = tree.files(path).stream()
                .filter(file -> file.getPath().getName().endsWith(".parquet"))
                .toList();
        if (files.isEmpty()) {
            throw new ConfigException(
                    FileTree.name(path) + " holds no Parquet file, no artifact and no dataset of rankfeed");
        }
        List<ParquetFile> intact = ParquetReport.readIntact(tree, files, report);
        if (intact.isEmpty()) {
            return report;
        }
        boolean delta = tree.status(new Path(path, "_delta_log")).isPresent();
        String kind = delta ? "Delta table (every file of it, those its log removed too)" : "Parquet directory";
        report.answer(String.format(Locale.ROOT, "%s %s", kind, FileTree.name(path)));
        report.fact("kind", kind).fact("path", FileTree.name(path));
        unischema(report, intact);
        ParquetReport.foreign(report, intact, block, path);
        return report;
    }

    /** Checks a Petastorm dataset: whether its Unischema can be read and its files have the fields. */
    private void unischema(Report report, List<ParquetFile> files) {
        Path file = new Path(path, CommonMetadata.FILE_NAME);
        if (tree.status(file).isEmpty()) {
            return;
        }
        try {
            Unischema schema = CommonMetadata.find(tree.read(file, CommonMetadata.MAX_FILE_BYTES), FileTree.name(file))
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
                one.schema().getFields().forEach(field -> columns.add(field.getName()));
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
        return tree.entries(path).stream()
                .filter(FileStatus::isDirectory)
                .map(entry -> entry.getPath().getName())
                .anyMatch(name -> name.equals(RUNS) || isFormatFolder(name));
    }

    private boolean isArtifactFolder() {
        return path.getName().matches("[0-9a-f]{16}")
                && path.getParent() != null
                && isFormatFolder(path.getParent().getName());
    }

    private static boolean isFormatFolder(String name) {
        return Arrays.stream(ArtifactFormat.values())
                .anyMatch(format -> format.folder().equals(name));
    }
}
