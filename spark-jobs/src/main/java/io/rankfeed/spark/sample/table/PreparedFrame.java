package io.rankfeed.spark.sample.table;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.substring;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
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

/**
 * The prepared table as a frame of which every row knows its address: {@link #FILE}, the index of its file among the
 * table's, and {@link #ROW}, its index in that file.
 *
 * @param manifest of the prepared table
 * @param dataFiles the files that hold rows, sorted by path; a row's {@link #FILE} is an index into them
 * @param stored the columns as they are in the files
 * @param rows all prepared columns, tensors as their bare elements, then the address
 * @param inPlace how rows are made of what the files hold, where these are no prepared ones
 */
public record PreparedFrame(
        Manifest.Prepared manifest,
        List<DataFile> dataFiles,
        StructType stored,
        Dataset<Row> rows,
        Optional<InPlaceRows> inPlace) {
    public static final String FILE = "_file";
    public static final String ROW = "_row";
    public static final String ROW_ID = "_row_id";
    public static final String SOURCE = "_source";
    public static final String SOURCE_ROW = "_source_row";

    /** A file with rows, and where to open it. */
    public record DataFile(String path, long lengthBytes, long rows) {}

    /**
     * @throws CorruptDataException if a file that the manifest lists is missing or has another length, or no checksums
     * @throws EnvironmentException if the table's rows are in place, and a file is not the one that was recorded
     */
    public static PreparedFrame open(JobContext context, PreparedTable table) {
        if (table.manifest().isInPlace()) {
            return InPlaceRows.open(context, table);
        }
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
                        file.rows().orElseThrow()))
                .toList();
        if (RowChecksum.in(rows.schema()).isEmpty()) {
            throw new CorruptDataException(
                    table.path().toString(),
                    "its files have no column " + RowChecksum.COLUMN
                            + ", so rows cannot be checked; remove the folder and run prepare again");
        }
        return new PreparedFrame(
                table.manifest(), dataFiles, rows.schema(), addressed(rows, dataFiles), Optional.empty());
    }

    /** The checksums of its rows; empty if they are in place. */
    public Optional<RowChecksum> checksums() {
        return inPlace.isPresent() ? Optional.empty() : RowChecksum.in(stored);
    }

    /** Rows of all its files. */
    public long rowCount() {
        return dataFiles.stream().mapToLong(DataFile::rows).sum();
    }

    /** Looks again after the work. @throws EnvironmentException if a file in place changed meanwhile */
    public void refuseChanges() {
        inPlace.ifPresent(InPlaceRows::refuseChanges);
    }

    /** Runs work over the rows. Throws {@link EnvironmentException} if it fails and a file in place changed. */
    public <T> T blaming(Supplier<T> work) {
        return inPlace.isPresent() ? inPlace.get().blaming(work) : work.get();
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
