package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.substring;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtefactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.TensorMetadata;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The prepared table as a frame of which every row knows its address: {@link #FILE}, the index of its file among the
 * manifest's data files, and {@link #ROW}, its place in that file.
 *
 * @param manifest of the prepared table
 * @param dataFiles the files that hold rows, sorted by path; a row's {@link #FILE} is an index into them
 * @param stored the columns as they lie in the files
 * @param rows all prepared columns, tensors as their bare elements, then the address
 */
public record PreparedFrame(Manifest manifest, List<ArtefactFile> dataFiles, StructType stored, Dataset<Row> rows) {
    public static final String FILE = "_file";
    public static final String ROW = "_row";
    public static final String ROW_ID = "_row_id";
    public static final String SOURCE = "_source";
    public static final String SOURCE_ROW = "_source_row";

    /** @throws CorruptDataException if a file that the manifest lists is missing or has another length */
    public static PreparedFrame open(JobContext context, PreparedTable table) {
        List<ArtefactFile> files = table.manifest().files().stream()
                .filter(file -> file.rows().isPresent())
                .toList();
        Dataset<Row> rows = ArtefactTable.read(context, table.path(), files);
        return new PreparedFrame(table.manifest(), files, rows.schema(), addressed(rows, table.id(), files));
    }

    private static Dataset<Row> addressed(Dataset<Row> rows, String id, List<ArtefactFile> files) {
        Dataset<Row> bare = rows;
        for (StructField field : rows.schema().fields()) {
            int headBytes =
                    TensorMetadata.of(field).map(TensorMetadata::headBytes).orElse(0);
            if (headBytes > 0) {
                bare = bare.withColumn(field.name(), substring(col(field.name()), headBytes + 1, Integer.MAX_VALUE));
            }
        }
        return bare.withColumn(FILE, new FileIndex(id, files).of(col("_metadata.file_path")))
                .withColumn(ROW, col("_metadata.row_index"));
    }
}
