package io.rankfeed.spark.engine;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.store.LocalFiles;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.jspecify.annotations.Nullable;

/** Lists the files of a source, and describes them. */
public final class SourceFiles {
    /** Folders of the logs that decide which files are of a table. */
    private static final Map<String, String> LOGS =
            Map.of("_delta_log", "Delta", ".hoodie", "Hudi", "metadata", "Iceberg");

    /** Names of the files that make a folder {@code metadata} the log of an Iceberg table. */
    private static final String ICEBERG = ".metadata.json";

    /** The folder of an Iceberg table's files. */
    private static final String DATA = "data";

    private final String displayName;
    private final FileSystem fs;
    private final Path root;
    private @Nullable Path log;

    /** Reads paths as they are written; else Spark takes "*", "?", "[" and "{" in them for patterns. */
    public static DataFrameReader reader(SparkSession spark) {
        return spark.read().option(DataSource.GLOB_PATHS_KEY(), "false");
    }

    /** @throws ConfigException if there is nothing at the location */
    public SourceFiles(String source, String location, Configuration conf) {
        this(conf, "sources." + source, location);
    }

    private SourceFiles(Configuration conf, String displayName, String location) {
        this.displayName = displayName;
        Path written = new Path(location);
        this.fs = Storage.of(written, conf);
        this.root = fs.makeQualified(written);
        try {
            if (!fs.exists(root)) {
                throw new ConfigException(displayName + ": nothing exists at " + root);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Files that are not of a source, with a name for messages. */
    public static SourceFiles named(String displayName, String location, Configuration conf) {
        return new SourceFiles(conf, displayName, location);
    }

    public Path root() {
        return root;
    }

    /**
     * Returns all files below the root, or the root if it is a file; hidden names ("_…", ".…") are left out, as Spark
     * does.
     */
    public List<SourceFile> list(Predicate<String> names) {
        return list(names, "");
    }

    /**
     * Lists files that Spark opens, of a folder without a log. Spark searches for a checksum file next to a local file; it
     * cannot form its name if the file's name has a colon, and it skips files below a folder with a colon.
     */
    public List<SourceFile> listForSpark(Predicate<String> names) {
        List<SourceFile> files = list(names);
        refuseLog();
        for (SourceFile file : files) {
            if (fs instanceof RawLocalFileSystem && file.relative().contains(":")) {
                throw new ConfigException(displayName + ": " + file.path()
                        + " has a colon in its name or its folder's, which Spark cannot read; rename it");
            }
        }
        return files;
    }

    /**
     * Refuses the files of a table with a log, or of its partition: some may have rows that the table removed or changed.
     *
     * @throws ConfigException after {@link #list} found a log, or if one is above a partition's folder
     */
    public void refuseLog() {
        try {
            for (Path at = root; log == null && isPartition(at.getName()); at = at.getParent()) {
                for (String name : LOGS.keySet()) {
                    Path above = new Path(at.getParent(), name);
                    log = isLog(above) ? above : log;
                }
            }
        } catch (IOException e) {
            throw failed(e);
        }
        if (log != null) {
            throw new ConfigException(displayName + ": " + log.getParent() + " is the folder of a table of "
                    + LOGS.get(log.getName())
                    + ", which also has files of rows that the table removed or changed; read a Delta table with"
                    + " delta:, or write the rows of the table as plain files");
        }
    }

    private static boolean isPartition(String folder) {
        return folder.contains("=") || folder.equals(DATA);
    }

    private boolean isLog(Path folder) throws IOException {
        if (!LOGS.containsKey(folder.getName())
                || !fs.exists(folder)
                || !fs.getFileStatus(folder).isDirectory()) {
            return false;
        }
        return !folder.getName().equals("metadata")
                || Arrays.stream(fs.listStatus(folder))
                        .anyMatch(file -> file.getPath().getName().endsWith(ICEBERG));
    }

    /** Lists files, and adds a prefix to each file's relative path. */
    public List<SourceFile> list(Predicate<String> names, String prefix) {
        List<SourceFile> files = new ArrayList<>();
        try {
            FileStatus status = fs.getFileStatus(root);
            if (status.isFile()) {
                files.add(file(status, prefix + root.getName()));
            } else {
                list(root, prefix, names, files);
            }
        } catch (IOException e) {
            throw failed(e);
        }
        files.sort(Comparator.comparing(SourceFile::relative, CanonicalJson::compareCodePoints));
        return files;
    }

    private void list(Path folder, String prefix, Predicate<String> names, List<SourceFile> into) throws IOException {
        for (RemoteIterator<? extends FileStatus> all = entries(folder); all.hasNext(); ) {
            FileStatus status = all.next();
            String name = status.getPath().getName();
            // Spark reads partition folders whose column's name starts with "_".
            boolean hidden = name.startsWith(".")
                    || name.endsWith("._COPYING_")
                    || (name.startsWith("_") && !name.contains("="));
            if (status.isDirectory() && isLog(status.getPath())) {
                log = status.getPath();
            }
            if (!hidden && status.isDirectory()) {
                if (fs instanceof RawLocalFileSystem) {
                    LocalFiles.refuseLoop(
                            java.nio.file.Path.of(status.getPath().toUri().getPath()));
                }
                list(status.getPath(), prefix + name + "/", names, into);
            } else if (!hidden && names.test(name)) {
                into.add(file(status, prefix + name));
            }
        }
    }

    /** Lists entries with block locations, except for local files: Hadoop would start a process per file to find its owner. */
    private RemoteIterator<? extends FileStatus> entries(Path folder) throws IOException {
        return fs instanceof RawLocalFileSystem
                ? RemoteIterators.remoteIteratorFromArray(fs.listStatus(folder))
                : fs.listLocatedStatus(folder);
    }

    private SourceFile file(FileStatus status, String relative) {
        status.setPath(fs.makeQualified(status.getPath()));
        return new SourceFile(status, relative);
    }

    /**
     * Selects those of some files that a query reads.
     *
     * @param read as Spark reports them; some of its relations escape what is special in a URI, others do not
     */
    public static List<SourceFile> among(List<SourceFile> files, String... read) {
        Set<String> known = new HashSet<>();
        for (String file : read) {
            known.add(RowAddress.canonical(new Path(file).toUri()));
            try {
                known.add(RowAddress.canonical(new URI(file)));
            } catch (URISyntaxException e) {
                // It was not escaped then.
            }
        }
        return files.stream().filter(file -> known.contains(file.canonical())).toList();
    }

    private EnvironmentException failed(IOException e) {
        return new EnvironmentException(IoReason.of("cannot read " + root, e), e);
    }
}
