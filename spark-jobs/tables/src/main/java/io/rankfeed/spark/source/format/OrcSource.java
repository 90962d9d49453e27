package io.rankfeed.spark.source.format;

import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.engine.orc.OrcFooter;
import io.rankfeed.spark.engine.parquet.ListedFiles.Format;
import io.rankfeed.spark.file.ContentDigests;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import io.rankfeed.spark.source.open.ExpectedRows;
import io.rankfeed.spark.source.open.FileColumns;
import io.rankfeed.spark.source.open.JvmZone;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.PartitionFolders;
import io.rankfeed.spark.source.open.SourceColumns;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/** A folder of ORC files, or one, read by Spark, which does not know the row number of a row in its file. */
public final class OrcSource {
    private OrcSource() {}

    public static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        List<SourceFile> files = folder.listForSpark(file -> true);
        if (files.isEmpty()) {
            throw new ConfigException("sources." + name + ": there are no files in " + folder.root());
        }
        return InputChanges.blaming(files, conf, () -> {
            List<StoredFile> stored = ParquetTail.ofEach(files, file -> stored(file, conf));
            PartitionFolders folders = new PartitionFolders(name, files);
            FileColumns<StoredFile> columns = FileColumns.of("sources." + name, stored);
            folders.refuseStored(columns);
            StructType types = FormatSource.readable(name, columns, section.columns());
            SourceColumns.refuseInnerCase(name, types, section.columns());
            refusePositionalNames(name, columns, types);
            Dataset<Row> table =
                    folders.rows(spark, folder.root(), types, PartitionFolders.types(section), files, Format.ORC);
            JvmZone.refuseTimestamps(name, types, SourceColumns.read(name, table, section));
            return new OpenSource(
                            name,
                            SourceColumns.chosen(name, table, section),
                            false,
                            new FolderInput(FileFormat.ORC, name, ContentDigests.of(spark, conf, files)),
                            files)
                    .expecting(ExpectedRows.of(
                            table.select(functions.col("_metadata.file_path").as(RowAddress.FILE)), stored))
                    .with(columns);
        });
    }

    /** Spark takes the columns of such a file, which old versions of Hive wrote, by their indices in the table. */
    private static void refusePositionalNames(String source, FileColumns<StoredFile> files, StructType types) {
        for (StoredFile file : files.examples()) {
            List<String> names = file.columns().stream().map(Column::name).toList();
            boolean isPositional = names.stream().allMatch(name -> name.startsWith("_col"));
            if (isPositional && !names.equals(Arrays.asList(types.fieldNames()))) {
                throw new ConfigException(
                        "sources." + source + ": " + file.file().path() + " has the columns " + names
                                + ", whose names Spark does not read, and the table has "
                                + Arrays.asList(types.fieldNames())
                                + "; write the file again with names, or make it a source of its own");
            }
        }
    }

    private static StoredFile stored(SourceFile file, Configuration conf) {
        if (file.lengthBytes() == 0) {
            // ORC's library takes it for a file without columns.
            throw new CorruptDataException(file.path().toString(), "is empty; remove it, or write it again");
        }
        OrcFooter footer = OrcFooter.read(file.path(), conf);
        List<Column> columns = footer.written().entrySet().stream()
                .map(column -> new Column(column.getKey(), column.getValue(), false))
                .toList();
        return new StoredFile(file, columns, footer.types(), OptionalLong.of(footer.rows()));
    }
}
