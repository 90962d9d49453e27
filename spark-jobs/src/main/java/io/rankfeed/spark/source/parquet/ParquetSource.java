package io.rankfeed.spark.source.parquet;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.engine.parquet.ParquetTypes;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.job.PrepareSection.OnBadRow;
import io.rankfeed.spark.job.SourceSection;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.SourceColumns;
import io.rankfeed.spark.source.open.SourceFooter;
import io.rankfeed.spark.source.open.SourceFooters;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/** A folder of Parquet files, or one. Every footer is checked before Spark plans a task. */
public final class ParquetSource {
    private ParquetSource() {}

    public static OpenSource open(
            SparkSession spark, Configuration conf, String name, SourceSection section, OnBadRow onBadRow) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        List<SourceFile> files = folder.listForSpark(file -> true);
        if (files.isEmpty()) {
            throw new ConfigException("sources." + name + ": there are no files in " + folder.root());
        }
        List<SourceFooter> footers = SourceFooters.read(files, conf);
        if (onBadRow == OnBadRow.FAIL) {
            SourceFooters.refuseDrift(footers);
        }
        DriftedFiles drifted = DriftedFiles.among(name, footers);
        DataFrameReader reader = SourceFiles.reader(spark)
                .schema(SourceFooters.readable(name, stored(spark, files, footers), footers, section.columns()));
        Dataset<Row> rows = addressed(
                drifted.isEmpty()
                        ? reader.parquet(folder.root().toString())
                        : reader.option("basePath", folder.root().toString()).parquet(drifted.others(files)));
        FolderInput identity = new FolderInput(
                FileFormat.PARQUET,
                name,
                footers.stream().map(SourceFooter::identity).toList());
        return OpenSource.of(
                name,
                SourceColumns.chosen(name, rows, section),
                true,
                identity,
                footers,
                onBadRow == OnBadRow.FAIL ? Optional.empty() : drifted.rows(spark));
    }

    /**
     * The columns in the files, which are alike: those of a file that is in the identity, which summary files are not.
     * Columns of a type that Spark does not have are left out.
     */
    public static StructType stored(SparkSession spark, List<SourceFile> files, List<SourceFooter> footers) {
        MessageType schema = footers.get(0).schema();
        StructType convertible = ParquetTypes.convertible(schema);
        return convertible.length() < schema.getFieldCount()
                ? convertible
                : SourceFiles.reader(spark)
                        .parquet(files.get(0).path().toString())
                        .schema();
    }

    /** The columns of a file-based table with the address that Spark knows of each row. */
    public static Dataset<Row> addressed(Dataset<Row> table) {
        return table.select(
                functions.col("*"),
                functions.col("_metadata.file_path").as(RowAddress.FILE),
                functions.col("_metadata.row_index").as(RowAddress.ROW));
    }
}
