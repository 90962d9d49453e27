package io.rankfeed.spark.source;

import io.rankfeed.schema.manifest.Input;
import java.util.List;
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
 */
public record OpenSource(String name, Dataset<Row> rows, boolean addressed, Input identity, List<SourceFile> files) {
    public long lengthBytes() {
        return files.stream().mapToLong(SourceFile::lengthBytes).sum();
    }
}
