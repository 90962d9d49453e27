package io.rankfeed.spark.source;

import io.rankfeed.schema.manifest.Input;
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
 * @param rows the user's columns and, where {@code addressed}, those of {@link RowAddress} behind them
 * @param addressed whether a row has a stable address
 * @param identity for the manifest
 * @param files what is read, sorted by relative path
 * @param badLines those that {@code rows} leaves out
 * @param rowsInFiles before any condition, where footers tell it
 */
public record OpenSource(
        String name,
        Dataset<Row> rows,
        boolean addressed,
        Input identity,
        List<SourceFile> files,
        Optional<JavaRDD<BadLine>> badLines,
        OptionalLong rowsInFiles) {
    OpenSource(String name, Dataset<Row> rows, boolean addressed, Input identity, List<SourceFile> files) {
        this(name, rows, addressed, identity, files, Optional.empty(), OptionalLong.empty());
    }

    public long lengthBytes() {
        return files.stream().mapToLong(SourceFile::lengthBytes).sum();
    }
}
