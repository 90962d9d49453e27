package io.rankfeed.spark.source.petastorm;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.petastorm.CommonMetadata;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.engine.parquet.ListedFiles.Format;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.ExpectedRows;
import io.rankfeed.spark.source.open.FileColumns;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.PartitionFolders;
import io.rankfeed.spark.source.open.SourceColumns;
import io.rankfeed.spark.source.open.SourceFooter;
import io.rankfeed.spark.source.open.SourceFooters;
import io.rankfeed.spark.source.parquet.ParquetSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** A Petastorm dataset: the fields of its Unischema, decoded; arrays and images as packed tensors. */
public final class PetastormSource {
    private PetastormSource() {}

    public static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        Path metadata = new Path(folder.root(), CommonMetadata.FILE_NAME);
        byte[] common = Storage.read(Storage.of(metadata, conf), metadata, CommonMetadata.MAX_FILE_BYTES)
                .orElseThrow(() -> new ConfigException("sources." + name + ": " + folder.root() + " has no "
                        + CommonMetadata.FILE_NAME + "; if it is not a Petastorm dataset, write parquet: instead"));
        List<SourceFile> files = folder.listForSpark(file -> true);
        if (files.isEmpty()) {
            throw new ConfigException("sources." + name + ": there are no files in " + folder.root());
        }
        PartitionFolders folders = new PartitionFolders(name, files);
        List<SourceFooter> footers = SourceFooters.read(files, conf);
        FileColumns<SourceFooter> found = FileColumns.of("sources." + name, footers);
        folders.refuseStored(found);
        found.refuseDifferences("write the files again with the columns of " + CommonMetadata.FILE_NAME);
        PetastormColumns columns =
                new PetastormColumns(CommonMetadata.unischema(common, metadata.toString()), metadata.toString());
        List<String> fields = columns.names().stream()
                .filter(field -> isChosen(section, field))
                .toList();
        Dataset<Row> stored = folders.rows(
                spark,
                folder.root(),
                SourceFooters.readable(name, ParquetSource.stored(spark, found, footers), footers, fields),
                columns.types(folders.columns()),
                files,
                Format.parquet(SourceFooters.byRow(footers)));
        List<Column> decoded = new ArrayList<>(columns.decoded(
                fields::contains,
                stored.schema(),
                functions.col("_metadata.file_path"),
                functions.col("_metadata.row_index")));
        decoded.add(functions.col("_metadata.file_path").as(RowAddress.FILE));
        decoded.add(functions.col("_metadata.row_index").as(RowAddress.ROW));
        Dataset<Row> rows = stored.select(decoded.toArray(Column[]::new));
        List<InputFile> identity = new ArrayList<>();
        footers.forEach(footer -> identity.add(footer.identity()));
        identity.add(new InputFile(CommonMetadata.FILE_NAME, common.length, Sha256.hex(common)));
        identity.sort(Comparator.comparing(InputFile::path, CanonicalJson::compareCodePoints));
        return OpenSource.of(
                        name,
                        SourceColumns.chosen(name, rows, section),
                        true,
                        new FolderInput(FileFormat.PETASTORM, name, identity),
                        footers)
                .expecting(ExpectedRows.of(rows, footers));
    }

    private static boolean isChosen(SourceSection section, String field) {
        return section.columns().isEmpty() || section.columns().stream().anyMatch(field::equalsIgnoreCase);
    }
}
