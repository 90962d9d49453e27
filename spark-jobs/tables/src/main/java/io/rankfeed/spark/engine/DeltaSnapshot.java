package io.rankfeed.spark.engine;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.delta.DeltaColumnMapping;
import org.apache.spark.sql.delta.SnapshotDescriptor;
import org.apache.spark.sql.delta.actions.AddFile;
import org.apache.spark.sql.delta.files.TahoeLogFileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.types.StructField;

/**
 * The snapshot behind a frame over a Delta table. It requires a session in which Delta is set up: otherwise its classes
 * are missing.
 */
public final class DeltaSnapshot {
    private static final String LOG = "_delta_log";
    private static final Pattern COMMIT = Pattern.compile("([0-9]{20})\\.json");
    private static final Pattern CHECKPOINT = Pattern.compile("[0-9]{20}\\.checkpoint\\..*");

    private DeltaSnapshot() {}

    /** The number of the version that is read. */
    public static long version(Dataset<Row> rows) {
        return snapshot(rows).version();
    }

    private static SnapshotDescriptor snapshot(Dataset<Row> rows) {
        if (relation(rows).location() instanceof SnapshotDescriptor snapshot) {
            return snapshot;
        }
        throw new IllegalStateException("no Delta table: " + relation(rows));
    }

    private static HadoopFsRelation relation(Dataset<Row> rows) {
        LogicalPlan leaf = rows.queryExecution().analyzed().collectLeaves().head();
        if (leaf instanceof LogicalRelation table && table.relation() instanceof HadoopFsRelation files) {
            return files;
        }
        throw new IllegalStateException("no Delta table: " + leaf);
    }

    /**
     * The data files of a version: the table's folder holds those of others, too, and those of a clone are elsewhere.
     *
     * @param failure of a file that is not there
     */
    public static List<SourceFile> files(
            Dataset<Row> rows, SourceFiles folder, Configuration conf, Function<String, RankfeedException> failure) {
        String[] read = rows.inputFiles();
        List<SourceFile> files = new ArrayList<>(SourceFiles.among(folder.list(file -> true), read));
        if (files.size() == read.length) {
            return files;
        }
        Set<String> known = new HashSet<>();
        files.forEach(file -> known.add(file.canonical()));
        for (String uri : read) {
            if (!known.contains(RowAddress.canonical(uri))) {
                Path path = new Path(URI.create(uri));
                try {
                    FileStatus status = Storage.of(path, conf).getFileStatus(path);
                    files.add(new SourceFile(status, path.getName()));
                } catch (FileNotFoundException e) {
                    throw failure.apply(path.toString());
                } catch (IOException e) {
                    throw new EnvironmentException(IoReason.of("cannot read " + path, e), e);
                }
            }
        }
        return files;
    }

    /** Whether a column of a data file is one of these columns, to which column mapping can give other names or an id. */
    public static Predicate<Type> stored(Dataset<Row> rows, List<String> columns) {
        List<StructField> fields = Arrays.stream(snapshot(rows).schema().fields())
                .filter(field -> columns.stream().anyMatch(field.name()::equalsIgnoreCase))
                .toList();
        if (snapshot(rows).metadata().columnMappingMode().name().equals("id")) {
            Set<Integer> ids =
                    fields.stream().map(DeltaColumnMapping::getColumnId).collect(Collectors.toSet());
            return stored ->
                    stored.getId() != null && ids.contains(stored.getId().intValue());
        }
        List<String> names =
                fields.stream().map(DeltaColumnMapping::getPhysicalName).toList();
        return stored -> names.stream().anyMatch(stored.getName()::equalsIgnoreCase);
    }

    /** The number of rows of each file by the log, without deleted rows; empty if the log lacks a number. */
    public static Optional<Map<String, Long>> rowsByFile(Dataset<Row> rows) {
        if (!(relation(rows).location() instanceof TahoeLogFileIndex table)) {
            return Optional.empty();
        }
        Map<String, Long> byFile = new HashMap<>();
        for (AddFile file : table.getSnapshot().allFiles().collectAsList()) {
            if (file.numLogicalRecords().isEmpty()) {
                return Optional.empty();
            }
            byFile.put(RowAddress.canonical(table.absolutePath(file.path()).toUri()), (Long)
                    file.numLogicalRecords().get());
        }
        return Optional.of(byFile);
    }

    /** Describes the commits that are missing in the log of a table that cannot be read; empty if none is missing. */
    public static Optional<String> gap(Path root, Configuration conf) {
        Path log = new Path(root, LOG);
        FileSystem fs = Storage.of(log, conf);
        TreeSet<Long> commits = new TreeSet<>();
        boolean checkpointed = false;
        try {
            for (FileStatus status : fs.listStatus(log)) {
                Matcher commit = COMMIT.matcher(status.getPath().getName());
                if (commit.matches()) {
                    commits.add(Long.parseLong(commit.group(1)));
                }
                checkpointed |= CHECKPOINT.matcher(status.getPath().getName()).matches();
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        if (commits.isEmpty()) {
            return Optional.empty();
        }
        long wanted = checkpointed ? commits.first() : 0;
        while (commits.contains(wanted)) {
            wanted++;
        }
        return wanted > commits.last()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "has no %020d.json, though it has commits up to version %d; restore that file, or write the"
                                + " table again",
                        wanted,
                        commits.last()));
    }
}
