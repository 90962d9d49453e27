package io.rankfeed.spark.source.parquet;

import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.engine.parquet.ListedFiles;
import io.rankfeed.spark.engine.parquet.ListedFiles.Format;
import io.rankfeed.spark.engine.parquet.ParquetTypes;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.ExpectedRows;
import io.rankfeed.spark.source.open.FileColumns;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.PartitionFolders;
import io.rankfeed.spark.source.open.SourceColumns;
import io.rankfeed.spark.source.open.SourceFooter;
import io.rankfeed.spark.source.open.SourceFooters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A folder of Parquet files, or one. Every footer is checked before Spark plans a task. */
public final class ParquetSource {
    private ParquetSource() {}

    public static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        List<SourceFile> files = folder.listForSpark(file -> true);
        if (files.isEmpty()) {
            throw new ConfigException("sources." + name + ": there are no files in " + folder.root());
        }
        return InputChanges.blaming(files, conf, () -> opened(spark, conf, name, section, folder, files));
    }

    private static OpenSource opened(
            SparkSession spark,
            Configuration conf,
            String name,
            SourceSection section,
            SourceFiles folder,
            List<SourceFile> files) {
        PartitionFolders folders = new PartitionFolders(name, files);
        List<SourceFooter> footers = SourceFooters.read(files, conf);
        FileColumns<SourceFooter> columns = FileColumns.of("sources." + name, footers);
        folders.refuseStored(columns);
        StructType stored = SourceFooters.readable(name, stored(spark, columns, footers), footers, section.columns());
        Dataset<Row> table = folders.rows(
                spark,
                folder.root(),
                stored,
                PartitionFolders.types(section),
                files,
                Format.parquet(SourceFooters.byRow(footers)));
        Dataset<Row> rows = HalfColumns.asFloats(addressed(table), columns.examples());
        FolderInput identity = new FolderInput(
                FileFormat.PARQUET,
                name,
                footers.stream().map(SourceFooter::identity).toList());
        return OpenSource.of(name, SourceColumns.chosen(name, rows, section), true, identity, footers)
                .expecting(ExpectedRows.of(rows, footers))
                .with(columns);
    }

    /**
     * The columns of files, each with the type of the first file that has it. Columns of a type that Spark does not have are
     * left out.
     *
     * @param all footers: files with the same columns can have other encodings
     */
    public static StructType stored(SparkSession spark, FileColumns<SourceFooter> columns, List<SourceFooter> all) {
        StructType stored = stored(spark, columns.examples(), true);
        boolean byColumn =
                all.stream().allMatch(footer -> footer.byRow().isEmpty()) && ParquetTypes.isByColumn(spark, stored);
        return byColumn ? stored : stored(spark, columns.examples(), false);
    }

    private static StructType stored(SparkSession spark, List<SourceFooter> footers, boolean byColumn) {
        Map<String, StructField> columns = new LinkedHashMap<>();
        for (SourceFooter footer : footers) {
            StructType stored = ParquetTypes.areSparks(footer.schema())
                    ? ParquetTypes.matching(
                            ListedFiles.stored(spark, footer.file().status()), footer.schema())
                    : ParquetTypes.convertible(footer.schema(), byColumn);
            for (StructField column : stored.fields()) {
                columns.putIfAbsent(column.name(), column);
            }
        }
        return new StructType(columns.values().toArray(StructField[]::new));
    }

    /** The columns of a file-based table with the address that Spark knows of each row. */
    public static Dataset<Row> addressed(Dataset<Row> table) {
        return table.select(
                functions.col("*"),
                functions.col("_metadata.file_path").as(RowAddress.FILE),
                functions.col("_metadata.row_index").as(RowAddress.ROW));
    }
}
