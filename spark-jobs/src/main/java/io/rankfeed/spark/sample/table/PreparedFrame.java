package io.rankfeed.spark.sample.table;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.engine.parquet.RowChecksum;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * The prepared table as a frame of which every row knows its address: {@link #FILE}, the index of its file among the
 * table's, and {@link #ROW}, its index in that file.
 */
public sealed interface PreparedFrame permits StoredFrame, InPlaceFrame {
    String FILE = "__rf_table_file";
    String ROW = "__rf_table_row";
    String ROW_ID = "_row_id";
    String SOURCE = "_source";
    String SOURCE_ROW = "_source_row";

    /**
     * A file with rows, and where to open it.
     *
     * @param rowGroups that have rows
     * @param hasPageIndex whether single pages can be read; otherwise row groups are read whole
     */
    record DataFile(String path, long lengthBytes, long rows, int rowGroups, boolean hasPageIndex) {}

    /**
     * @throws CorruptDataException if a file that the manifest lists is missing or has another length, or no checksums
     * @throws EnvironmentException if the table's rows are in place, and a file is not the one that was recorded
     */
    static PreparedFrame open(JobContext context, PreparedTable table) {
        return table.manifest().isInPlace() ? InPlaceFrame.open(context, table) : StoredFrame.open(context, table);
    }

    Manifest.Prepared manifest();

    /** The files that hold rows, sorted by path; a row's {@link #FILE} is an index into them. */
    List<DataFile> dataFiles();

    /** The columns as they are in the files. */
    StructType stored();

    /** All prepared columns, tensors as their bare elements, then the address. */
    Dataset<Row> rows();

    /** The checksums of its rows; empty if its files were not written by prepare. */
    Optional<RowChecksum> checksums();

    /** Whether the files hold every column; those of partitions are in none. */
    boolean isWhole();

    /** Looks again after the work. @throws EnvironmentException if a file in place changed meanwhile */
    void refuseChanges();

    /** Runs work over the rows. Throws {@link EnvironmentException} if it fails and a file in place changed. */
    <T> T blaming(Supplier<T> work);

    /** Rows of all its files. */
    default long rowCount() {
        return dataFiles().stream().mapToLong(DataFile::rows).sum();
    }
}
