package io.rankfeed.spark.export;

import io.rankfeed.spark.sample.table.PreparedFrame.DataFile;
import java.util.List;
import org.apache.parquet.column.ParquetProperties;

/**
 * An estimate of a table's pages, by the mean compressed length of a row of all columns. It only determines how the
 * table is read.
 *
 * @param rows of a page
 * @param count of pages of all files
 */
record TablePages(long rows, long count) {
    static TablePages of(List<DataFile> files) {
        long bytes = files.stream().mapToLong(DataFile::lengthBytes).sum();
        long all = files.stream().mapToLong(DataFile::rows).sum();
        long fit = (long) (ParquetProperties.DEFAULT_PAGE_SIZE * ((double) all / Math.max(bytes, 1)));
        long rows = Math.max(1, Math.min(fit, ParquetProperties.DEFAULT_PAGE_ROW_COUNT_LIMIT));
        return new TablePages(
                rows,
                files.stream()
                        .mapToLong(file -> (file.rows() + rows - 1) / rows)
                        .sum());
    }
}
