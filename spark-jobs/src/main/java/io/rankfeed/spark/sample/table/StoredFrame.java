package io.rankfeed.spark.sample.table;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.substring;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.engine.TensorMetadata;
import io.rankfeed.spark.engine.parquet.RowChecksum;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A prepared table whose rows are in files that prepare wrote. */
public record StoredFrame(Manifest.Prepared manifest, List<DataFile> dataFiles, StructType stored, Dataset<Row> rows)
        implements PreparedFrame {
    static StoredFrame open(JobContext context, PreparedTable table) {
        List<ArtifactFile> files = table.manifest().files().stream()
                .filter(file -> file.rows().isPresent())
                .toList();
        Dataset<Row> rows = ArtifactTable.read(context, table.path(), files);
        FileSystem fs = Storage.of(table.path(), context.hadoop());
        List<DataFile> dataFiles = files.stream()
                .map(file -> new DataFile(
                        fs.makeQualified(new Path(table.path(), file.path().value()))
                                .toString(),
                        file.bytes(),
                        file.rows().orElseThrow(),
                        1,
                        true))
                .toList();
        if (RowChecksum.in(rows.schema()).isEmpty()) {
            throw new CorruptDataException(
                    table.path().toString(),
                    "its files have no column " + RowChecksum.COLUMN
                            + ", so rows cannot be checked; remove the folder and run prepare again");
        }
        return new StoredFrame(table.manifest(), dataFiles, rows.schema(), addressed(rows, dataFiles));
    }

    @Override
    public Optional<RowChecksum> checksums() {
        return RowChecksum.in(stored);
    }

    @Override
    public boolean isWhole() {
        return true;
    }

    /** The files of an artifact do not change. */
    @Override
    public void refuseChanges() {}

    @Override
    public <T> T blaming(Supplier<T> work) {
        return work.get();
    }

    private static Dataset<Row> addressed(Dataset<Row> rows, List<DataFile> files) {
        Dataset<Row> bare = rows;
        for (StructField field : rows.schema().fields()) {
            int headBytes =
                    TensorMetadata.of(field).map(TensorMetadata::headBytes).orElse(0);
            if (headBytes > 0) {
                bare = bare.withColumn(field.name(), substring(col(field.name()), headBytes + 1, Integer.MAX_VALUE));
            }
        }
        List<String> paths = files.stream()
                .map(file -> RowAddress.canonical(new Path(file.path()).toUri()))
                .toList();
        return bare.withColumn(FILE, new FileIndex(paths).of(col("_metadata.file_path")))
                .withColumn(ROW, col("_metadata.row_index"));
    }
}
