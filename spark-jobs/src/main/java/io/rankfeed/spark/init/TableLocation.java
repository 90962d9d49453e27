package io.rankfeed.spark.init;

import io.rankfeed.job.SourceSection.Kind;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.run.DatasetNames;
import io.rankfeed.spark.source.format.FormatSource;
import io.rankfeed.spark.source.jsonl.JsonlSource;
import io.rankfeed.spark.source.jsonl.TextSource;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The location of a table, and the kind of source as which a job reads it.
 *
 * @param words the path, or the table's name in the metastore, as the job file gives it
 */
public record TableLocation(Kind kind, String words) {
    /** Names of image files, for a condition in SQL. */
    static final String IMAGES = "(?i)\\.(jpe?g|png|webp|bmp|tiff?)$";

    private static final Pattern IN_METASTORE = Pattern.compile("[A-Za-z_]\\w*\\.[A-Za-z_]\\w*");
    private static final Pattern IMAGE = Pattern.compile(".*" + IMAGES);
    /** Conditions on file names, by kind; the first kind of which a folder has files is taken. */
    private static final Map<Kind, Predicate<String>> FAMILIES = families();

    private static final int MAX_FILES = 10_000;

    /**
     * Looks at names alone: of a folder at those of its first files.
     *
     * @throws ConfigException if nothing is there, or nothing that a job reads
     */
    public static TableLocation of(String words, Configuration conf) {
        Path path = path(words);
        try {
            FileSystem fs = path.getFileSystem(conf);
            FileStatus status = fs.getFileStatus(path);
            if (status.isFile()) {
                return new TableLocation(kind(Map.of(family(path), 1), words), words);
            } else if (fs.exists(new Path(path, "_delta_log"))) {
                return new TableLocation(Kind.DELTA, words);
            } else if (fs.exists(new Path(path, "state.json")) && fs.exists(new Path(path, "dataset_info.json"))) {
                return new TableLocation(Kind.HUGGINGFACE, words);
            } else if (fs.exists(new Path(path, "index.json"))
                    && families(fs, path).containsKey("mds")) {
                return new TableLocation(Kind.MDS, words);
            }
            return new TableLocation(kind(families(fs, path), words), words);
        } catch (FileNotFoundException e) {
            if (IN_METASTORE.matcher(words).matches()) {
                return new TableLocation(Kind.HIVE, words);
            }
            throw new ConfigException(
                    "nothing exists at " + words + "; give a folder, a file, or a table of the metastore as db.table",
                    e);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + words, e), e);
        }
    }

    private static Map<Kind, Predicate<String>> families() {
        Map<Kind, Predicate<String>> families = new LinkedHashMap<>();
        families.put(Kind.PARQUET, name -> name.endsWith(".parquet"));
        families.put(Kind.ORC, name -> name.endsWith(".orc"));
        families.put(Kind.AVRO, name -> FormatSource.isNamed(FileFormat.AVRO, name));
        families.put(Kind.ARROW, name -> FormatSource.isNamed(FileFormat.ARROW, name));
        families.put(Kind.WEBDATASET, name -> FormatSource.isNamed(FileFormat.WEBDATASET, name));
        families.put(Kind.TFRECORD, name -> FormatSource.isNamed(FileFormat.TFRECORD, name));
        families.put(Kind.LMDB, name -> FormatSource.isNamed(FileFormat.LMDB, name));
        families.put(Kind.CSV, name -> FormatSource.isNamed(FileFormat.CSV, name));
        // Datasets in Arrow have descriptions in JSON.
        families.put(Kind.JSONL, JsonlSource::isJsonLines);
        families.put(Kind.BINARY, name -> IMAGE.matcher(name).matches());
        families.put(Kind.TEXT, TextSource::isText);
        return families;
    }

    /** A name for the source and the dataset: letters, digits and {@code _}. */
    String name() {
        String last = kind == Kind.HIVE
                ? words.substring(words.indexOf('.') + 1)
                : path(words).getName();
        String plain = last.replaceFirst(
                        "(?i)\\.(parquet|orc|avro|arrows?|feather|ipc|csv|tsv|jsonl|json|ndjson|txt|text|tar|tgz|tfrecords?|tfrec|lmdb|mdb)"
                                + "(\\.gz)?$",
                        "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9_]+", "_")
                .replaceFirst("^[^a-z]+", "")
                .replaceFirst("_+$", "");
        String name = plain.substring(0, Math.min(plain.length(), 40));
        return DatasetNames.fault(name).isEmpty() ? name : "data";
    }

    private static Path path(String words) {
        try {
            return new Path(words);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("'" + words + "' is not a path: " + e.getMessage(), e);
        }
    }

    private static Map<String, Integer> families(FileSystem fs, Path folder) throws IOException {
        Map<String, Integer> families = new TreeMap<>();
        RemoteIterator<LocatedFileStatus> files = fs.listFiles(folder, true);
        for (int seen = 0; files.hasNext() && seen < MAX_FILES; seen++) {
            Path file = files.next().getPath();
            if (!file.getName().startsWith(".") && !file.getName().startsWith("_")) {
                families.merge(family(file), 1, Integer::sum);
            }
        }
        return families;
    }

    /** The kind of source that reads a file, by its name; else its ending. */
    private static String family(Path file) {
        String name = file.getName();
        return FAMILIES.entrySet().stream()
                .filter(family -> family.getValue().test(name))
                .map(family -> family.getKey().key())
                .findFirst()
                .orElseGet(() -> name.contains(".")
                        ? name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)
                        : name);
    }

    private static Kind kind(Map<String, Integer> families, String words) {
        return FAMILIES.keySet().stream()
                .filter(kind -> families.containsKey(kind.key()))
                .findFirst()
                .orElseThrow(() -> new ConfigException(words
                        + " has no table in Parquet, ORC, Avro, Arrow, WebDataset, TFRecord, LMDB, CSV, JSON lines or Delta,"
                        + " no images and no text"
                        + (families.isEmpty()
                                ? "; it has no files"
                                : "; found: " + String.join(", ", families.keySet()))));
    }
}
