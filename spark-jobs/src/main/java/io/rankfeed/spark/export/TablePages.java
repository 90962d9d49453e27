package io.rankfeed.spark.export;

import io.rankfeed.spark.sample.table.PreparedFrame.DataFile;
import java.util.List;
import org.apache.parquet.column.ParquetProperties;

/**
 * An estimate of a table's pages, by the mean compressed length of a row of all columns. If a file has no page index, its
 * row groups count as pages. The estimate only determines how the table is read.
 *
 * @param rows of a page
 * @param count of pages of all files
 * @param allRows of all files
 * @param areGroups whether some of them are row groups, of which every row is decoded
 */
record TablePages(long rows, long count, long allRows, boolean areGroups) {
    /**
     * From this sum on, of the part of the pages that is read and the part of the rows that is decoded, a scan is faster:
     * between measured ones (bench/README.md, "Few rows").
     */
    private static final double SCANNED = 1.25;

    static TablePages of(List<DataFile> files) {
        long bytes = files.stream().mapToLong(DataFile::lengthBytes).sum();
        long all = files.stream().mapToLong(DataFile::rows).sum();
        long fit = (long) (ParquetProperties.DEFAULT_PAGE_SIZE * ((double) all / Math.max(bytes, 1)));
        long ofPage = Math.max(1, Math.min(fit, ParquetProperties.DEFAULT_PAGE_ROW_COUNT_LIMIT));
        boolean areGroups = files.stream().anyMatch(file -> file.wholeGroups() > 0);
        long count = files.stream()
                .mapToLong(file -> file.wholeGroups() > 0 ? file.wholeGroups() : pages(file, ofPage))
                .sum();
        long rows = areGroups ? Math.max(1, all / count) : ofPage;
        return new TablePages(
                rows, files.stream().mapToLong(file -> pages(file, rows)).sum(), all, areGroups);
    }

    private static long pages(DataFile file, long rows) {
        return (file.rows() + rows - 1) / rows;
    }

    /** The faster way to read the chosen rows, which are in some of the pages. */
    Export.Reading fasterFor(long chosenPages, long chosenRows) {
        double read = (double) chosenPages / count;
        double decoded = areGroups ? read : Math.min(1, (double) chosenRows / allRows);
        return read + decoded < SCANNED ? Export.Reading.CHOSEN : Export.Reading.SCAN;
    }
}
