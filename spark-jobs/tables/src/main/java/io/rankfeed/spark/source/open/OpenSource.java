package io.rankfeed.spark.source.open;

import io.rankfeed.export.parquet.FileRowGroup;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.spark.engine.parquet.ReaderBatch;
import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A source that was found, checked and identified.
 *
 * @param name of the source and of its view
 * @param rows the user's columns and, where {@code addressed}, those of {@link RowAddress} after them
 * @param addressed whether a row has a stable address
 * @param identity for the manifest
 * @param files what is read, sorted by relative path
 * @param badLines those that {@code rows} leaves out
 * @param rowGroups of each file, in the order of {@code files}; empty where files have none
 * @param expected numbers of rows to compare with; empty if they are unknown
 * @param columns of the files, where they may differ
 */
public record OpenSource(
        String name,
        Dataset<Row> rows,
        boolean addressed,
        Input identity,
        List<SourceFile> files,
        Optional<JavaRDD<BadLine>> badLines,
        List<List<FileRowGroup>> rowGroups,
        Optional<ExpectedRows> expected,
        Optional<FileColumns<?>> columns) {
    public OpenSource(String name, Dataset<Row> rows, boolean addressed, Input identity, List<SourceFile> files) {
        this(name, rows, addressed, identity, files, Optional.empty(), List.of());
    }

    /** A source whose files have unknown numbers of rows. */
    public OpenSource(
            String name,
            Dataset<Row> rows,
            boolean addressed,
            Input identity,
            List<SourceFile> files,
            Optional<JavaRDD<BadLine>> badLines,
            List<List<FileRowGroup>> rowGroups) {
        this(name, rows, addressed, identity, files, badLines, rowGroups, Optional.empty(), Optional.empty());
    }

    /** Returns this source, with the numbers of rows that its files must have. */
    public OpenSource expecting(ExpectedRows known) {
        return new OpenSource(name, rows, addressed, identity, files, badLines, rowGroups, Optional.of(known), columns);
    }

    /** Returns this source, with the columns of its files, which may be different. */
    public OpenSource with(FileColumns<?> found) {
        return new OpenSource(
                name, rows, addressed, identity, files, badLines, rowGroups, expected, Optional.of(found));
    }

    /** Returns a source of Parquet files, and sets the number of rows that Spark decodes at once. */
    public static OpenSource of(
            String name, Dataset<Row> rows, boolean addressed, Input identity, List<SourceFooter> footers) {
        ReaderBatch.fit(
                rows.sparkSession(),
                footers.stream().mapToLong(SourceFooter::rowBytes).max().orElse(0));
        return new OpenSource(
                name,
                rows,
                addressed,
                identity,
                footers.stream().map(SourceFooter::file).toList(),
                Optional.empty(),
                footers.stream().map(SourceFooter::rowGroups).toList());
    }

    /** @throws io.rankfeed.schema.failure.CorruptDataException if Spark reads other rows than the files have */
    public void refuseOtherCount() {
        expected.ifPresent(rows -> rows.compare(name));
    }

    /** Returns the number of rows in the files before any condition; empty if their footers do not state it. */
    public OptionalLong rowsInFiles() {
        return rowGroups.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(rowGroups.stream()
                        .flatMap(List::stream)
                        .mapToLong(FileRowGroup::rows)
                        .sum());
    }

    public long lengthBytes() {
        return files.stream().mapToLong(SourceFile::lengthBytes).sum();
    }
}
