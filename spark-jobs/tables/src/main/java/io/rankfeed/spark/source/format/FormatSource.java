package io.rankfeed.spark.source.format;

import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.file.ContentDigests;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import io.rankfeed.spark.source.open.ExpectedRows;
import io.rankfeed.spark.source.open.FileColumns;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.PartitionFolders;
import io.rankfeed.spark.source.open.SourceColumns;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A folder of files of a {@link RowFormat}, or one. */
public final class FormatSource {
    /** The suffixes of the file names of each format. */
    private static final Map<FileFormat, List<String>> ENDINGS = Map.of(
            FileFormat.AVRO, List.of(".avro"),
            FileFormat.ARROW, List.of(".arrow", ".arrows", ".feather", ".ipc"),
            FileFormat.CSV, List.of(".csv", ".tsv", ".csv.gz", ".tsv.gz"),
            FileFormat.WEBDATASET, List.of(".tar", ".tar.gz", ".tgz"),
            FileFormat.TFRECORD, List.of(".tfrecord", ".tfrecords", ".tfrec", ".tfrecord.gz", ".tfrecords.gz"),
            FileFormat.LMDB, List.of(".lmdb"));

    /** The file of an environment of LMDB that is a folder. */
    private static final String ENVIRONMENT = "data.mdb";

    /** What TensorFlow Datasets adds to the names of files. */
    private static final Pattern SHARD = Pattern.compile("-\\d+-of-\\d+$");

    private FormatSource() {}

    /** Whether a file is one of this format by its name. */
    public static boolean isNamed(FileFormat format, String name) {
        if (name.equals(ENVIRONMENT)) {
            return format == FileFormat.LMDB;
        }
        String plain = format == FileFormat.TFRECORD ? SHARD.matcher(name).replaceFirst("") : name;
        return ENDINGS.getOrDefault(format, List.of()).stream().anyMatch(plain::endsWith);
    }

    /** Opens the source. @throws ConfigException if no file has an ending of the format */
    public static OpenSource open(
            SparkSession spark,
            Configuration conf,
            String name,
            SourceSection section,
            FileFormat format,
            RowFormat reader,
            OnBadRow onBadRow) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        List<SourceFile> files = folder.list(file -> isNamed(format, file));
        if (format == FileFormat.AVRO) {
            folder.refuseLog();
        }
        if (files.isEmpty()) {
            throw new ConfigException("sources." + name + ": no file in " + folder.root() + " ends in one of "
                    + ENDINGS.get(format) + (format == FileFormat.LMDB ? " or is " + ENVIRONMENT : ""));
        }
        return open(spark, conf, name, section, format, reader, onBadRow, files);
    }

    /** Opens a source of these files, at least one. */
    public static OpenSource open(
            SparkSession spark,
            Configuration conf,
            String name,
            SourceSection section,
            FileFormat format,
            RowFormat reader,
            OnBadRow onBadRow,
            List<SourceFile> files) {
        return InputChanges.blaming(files, conf, () -> {
            List<StoredFile> stored = reader.isScanned()
                    ? ScannedFile.of(spark, conf, files, reader)
                    : ParquetTail.ofEach(files, file -> ScannedFile.read(reader, file, conf));
            PartitionFolders folders = new PartitionFolders(name, files);
            FileColumns<StoredFile> columns = FileColumns.of("sources." + name, stored);
            folders.refuseStored(columns);
            StructType types = readable(name, columns, section.columns());
            FormatTable table = new FormatTable(
                    spark,
                    conf,
                    reader.reading(types),
                    types,
                    stored,
                    folders.values(PartitionFolders.types(section), files),
                    onBadRow != OnBadRow.FAIL);
            Dataset<Row> rows = spark.baseRelationToDataFrame(table);
            OpenSource source = new OpenSource(
                            name,
                            SourceColumns.chosen(name, rows, section),
                            true,
                            new FolderInput(format, name, ContentDigests.of(spark, conf, files)),
                            files,
                            format == FileFormat.CSV && onBadRow != OnBadRow.FAIL
                                    ? Optional.of(badLines(name, files, table, reader, conf))
                                    : Optional.empty(),
                            List.of())
                    .with(columns);
            return stored.get(0).rows().isPresent() ? source.expecting(ExpectedRows.of(rows, stored)) : source;
        });
    }

    /**
     * The columns of all files, each with the type of the first file that has it; a list where one file has lists.
     *
     * @param chosen the source's {@code columns:}; empty: all
     * @throws ConfigException naming a column that is wanted and has no type in Spark
     */
    static StructType readable(String source, FileColumns<StoredFile> files, List<String> chosen) {
        Map<String, DataType> types = new LinkedHashMap<>();
        for (StoredFile file : files.examples()) {
            for (Column column : file.columns()) {
                DataType type = file.types().get(column.name());
                if (type != null) {
                    types.merge(column.name(), type, (first, other) -> other instanceof ArrayType ? other : first);
                } else if (chosen.isEmpty() || chosen.stream().anyMatch(column.name()::equalsIgnoreCase)) {
                    throw new ConfigException("sources." + source + ": "
                            + file.file().path() + ": column '"
                            + column.name() + "' is " + column.type() + ", which has no type in Spark; name the other"
                            + " columns under sources." + source + ".columns, or write the files again with another"
                            + " type");
                }
            }
        }
        StructType stored = new StructType();
        for (Map.Entry<String, DataType> column : types.entrySet()) {
            stored = stored.add(column.getKey(), column.getValue(), true);
        }
        return SourceColumns.distinct(
                source, files.examples().get(0).file().path().toString(), stored, chosen);
    }

    private static JavaRDD<BadLine> badLines(
            String source, List<SourceFile> files, FormatTable table, RowFormat reader, Configuration conf) {
        Map<String, String> displayNames = files.stream()
                .collect(Collectors.toMap(file -> file.path().toString(), file -> source + "/" + file.relative()));
        TaskConfiguration hadoop = new TaskConfiguration(conf);
        return table.tasks()
                .flatMap(task -> badLines(task, reader, hadoop.value(), file -> displayNames.getOrDefault(file, file)));
    }

    /** The bad rows of a task's files, each found when it is asked for. */
    static Iterator<BadLine> badLines(
            List<FilePart> task, RowFormat reader, Configuration conf, UnaryOperator<String> displayNames) {
        Queue<BadLine> found = new ArrayDeque<>();
        FormatRows rows = new FormatRows(reader, task, new String[0], conf, bad -> {
            found.add(bad.line(RowAddress.of(new Path(bad.file())), displayNames.apply(bad.file())));
            // Of many bad rows in turn, one is in memory.
            return RowFactory.create();
        });
        return new ComputedIterator<>() {
            @Override
            protected @Nullable BadLine compute() {
                while (found.isEmpty() && rows.hasNext()) {
                    rows.next();
                }
                return found.poll();
            }
        };
    }
}
