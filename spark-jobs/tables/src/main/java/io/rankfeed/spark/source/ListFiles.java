package io.rankfeed.spark.source;

import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.job.PlannedList;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.engine.parquet.ListedFiles;
import io.rankfeed.spark.engine.parquet.RowDecoded;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.file.ContentDigests;
import io.rankfeed.spark.file.FileRow;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.jsonl.JsonlLines;
import io.rankfeed.spark.source.open.FileColumns;
import io.rankfeed.spark.source.open.SourceFooter;
import io.rankfeed.spark.source.open.SourceFooters;
import io.rankfeed.spark.source.parquet.ParquetSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The files of a feed's list, which is a table of entries in the order of these and of their rows. */
public final class ListFiles {
    /** The line of an entry, or its file and row, as one number that ascends in the order of the list. */
    public static final String ENTRY = "__rf_entry";

    /** The only column of a text list. */
    public static final String TEXT = "value";

    private final String where;
    private final boolean isText;
    private final List<SourceFile> files;
    private final List<SourceFooter> footers;
    private final Input identity;

    /** @param footers of the files; empty for a text list */
    private ListFiles(
            String where, boolean isText, List<SourceFile> files, List<SourceFooter> footers, Input identity) {
        this.where = where;
        this.isText = isText;
        this.files = files;
        this.footers = footers;
        this.identity = identity;
    }

    /** @throws ConfigException if there is nothing at the list's path, or nothing of its kind */
    public static ListFiles of(SparkSession spark, Configuration conf, String feed, PlannedList list) {
        String where = where(feed);
        boolean isText = list.text().isPresent();
        List<SourceFile> files = files(conf, feed, list);
        if (isText) {
            List<Input.InputFile> digests =
                    InputChanges.blaming(files, conf, () -> ContentDigests.of(spark, conf, files));
            return new ListFiles(where, true, files, List.of(), new FolderInput(FileFormat.TEXT, feed, digests));
        }
        List<SourceFooter> footers = SourceFooters.read(files, conf);
        SourceFooters.refuseUnsupported(where, footers, List.of());
        FileColumns.of(where, footers).refuseDifferences("write the files again with the same columns");
        List<Input.InputFile> identities =
                footers.stream().map(SourceFooter::identity).toList();
        return new ListFiles(where, false, files, footers, new FolderInput(FileFormat.PARQUET, feed, identities));
    }

    /** Checks only that the list exists. @throws ConfigException as {@link #of} does, if it is not */
    public static void refuseMissing(Configuration conf, String feed, PlannedList list) {
        files(conf, feed, list);
    }

    private static List<SourceFile> files(Configuration conf, String feed, PlannedList list) {
        String where = where(feed);
        SourceFiles folder = SourceFiles.named(where, list.location(), conf);
        boolean isText = list.text().isPresent();
        List<SourceFile> files = isText ? folder.list(name -> true) : folder.listForSpark(name -> true);
        if (files.isEmpty() || (isText && !files.get(0).path().equals(folder.root()))) {
            throw new ConfigException(where + ": " + folder.root()
                    + (files.isEmpty() ? " has no files" : " is a folder; a text list is one file"));
        }
        return files;
    }

    private static String where(String feed) {
        return "sample." + feed + ".list";
    }

    public Input identity() {
        return identity;
    }

    /** Returns the name of the list in messages. */
    public String displayName() {
        return where;
    }

    /** Looks again after the work. @throws io.rankfeed.schema.failure.EnvironmentException if a file changed meanwhile */
    public void refuseChanges(Configuration conf) {
        InputChanges.refuse(files, conf);
    }

    /** Runs work. Throws {@link io.rankfeed.schema.failure.EnvironmentException} if it fails and a file changed. */
    public <T> T blaming(Configuration conf, Callable<T> work) {
        return InputChanges.blaming(files, conf, work);
    }

    /** The entries: their columns, and {@link #ENTRY}. */
    public Dataset<Row> entries(SparkSession spark, Configuration conf) {
        return isText ? lines(spark, conf) : rows(spark);
    }

    private Dataset<Row> lines(SparkSession spark, Configuration conf) {
        TaskConfiguration hadoop = new TaskConfiguration(conf);
        List<String> paths = files.stream().map(file -> file.path().toString()).toList();
        FlatMapFunction<String, Row> read = path -> ComputedIterator.mapped(
                new JsonlLines(path, hadoop.value()), line -> RowFactory.create(line.text(), line.number()));
        JavaRDD<Row> rows = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(paths, paths.size())
                .flatMap(read);
        return spark.createDataFrame(
                rows, new StructType().add(TEXT, DataTypes.StringType, false).add(ENTRY, DataTypes.LongType, false));
    }

    private Dataset<Row> rows(SparkSession spark) {
        Map<String, Integer> numberOf = new HashMap<>();
        files.forEach(file -> numberOf.put(file.canonical(), numberOf.size()));
        UDF2<String, Long, Long> entry = (file, row) -> {
            Integer number = numberOf.get(RowAddress.canonical(file));
            return number == null ? null : FileRow.of(number, row);
        };
        List<FileStatus> statuses = files.stream().map(SourceFile::status).toList();
        Dataset<Row> rows = ListedFiles.rows(
                spark,
                statuses.get(0).getPath().getParent(),
                ParquetSource.stored(spark, FileColumns.of(where, footers), footers),
                new StructType(),
                List.of(new ListedFiles.Folder(List.of(), statuses)),
                ListedFiles.Format.parquet(RowDecoded.NONE));
        List<Column> columns = new ArrayList<>(List.of(functions.col("*")));
        columns.add(functions
                .udf(entry, DataTypes.LongType)
                .apply(functions.col("_metadata.file_path"), functions.col("_metadata.row_index"))
                .as(ENTRY));
        return rows.select(columns.toArray(Column[]::new));
    }

    /** Describes an entry for users: the line, or the row of the file. */
    public String describe(long entry) {
        return isText
                ? "line " + (entry + 1)
                : "row " + FileRow.row(entry) + " of "
                        + files.get(FileRow.file(entry)).relative();
    }
}
