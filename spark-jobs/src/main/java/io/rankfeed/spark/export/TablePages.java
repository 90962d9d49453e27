package io.rankfeed.spark.export;

import io.rankfeed.spark.sample.table.PreparedFrame.DataFile;
import java.util.Collection;
import java.util.List;
import org.apache.parquet.column.ParquetProperties;

/**
 * An estimate of a table's pages, by the mean compressed length of a row of all columns. In a file without a page index a
 * row group counts as a page. The estimate only determines how the table is read.
 *
 * @param files of the table
 * @param pageRows rows of a page of the files with a page index
 * @param cores of the cluster
 */
record TablePages(List<DataFile> files, long pageRows, int cores) {
    /**
     * From this sum on, the table is scanned: the part of the rows in pages that are read, plus the part of the rows that
     * are decoded. At a sum of 1.2, chosen pages take 0.95 to 1.16 times as long as a scan, at 1.5 0.83 to 1.47 times
     * (bench/README.md, "Few rows").
     */
    private static final double SCANNED = 1.25;

    static TablePages of(List<DataFile> files, int cores) {
        long bytes = files.stream().mapToLong(DataFile::lengthBytes).sum();
        long all = files.stream().mapToLong(DataFile::rows).sum();
        long fit = (long) (ParquetProperties.DEFAULT_PAGE_SIZE * ((double) all / Math.max(bytes, 1)));
        return new TablePages(files, Math.max(1, Math.min(fit, ParquetProperties.DEFAULT_PAGE_ROW_COUNT_LIMIT)), cores);
    }

    /** The rows of a page, by file. */
    long[] rowsByFile() {
        return files.stream()
                .mapToLong(file -> file.hasPageIndex() ? pageRows : rowsOfGroup(file))
                .toArray();
    }

    private static long rowsOfGroup(DataFile file) {
        return Math.max(1, file.rows() / Math.max(1, file.rowGroups()));
    }

    /** The faster way to read the chosen rows. Only a scan divides a file among tasks. */
    Export.Reading fasterFor(Collection<RowDestinations.Stretch> chosen) {
        long[] ofPage = rowsByFile();
        long read = 0;
        long decoded = 0;
        for (RowDestinations.Stretch stretch : chosen) {
            DataFile file = files.get(stretch.file());
            long inPages = Math.min(file.rows(), stretch.pages() * ofPage[stretch.file()]);
            read += inPages;
            decoded += file.hasPageIndex() ? stretch.rows() : inPages;
        }
        long all = files.stream().mapToLong(DataFile::rows).sum();
        long groups = files.stream().mapToLong(DataFile::rowGroups).sum();
        double fewerTasks = (double) Math.min(cores, groups) / Math.min(cores, chosen.size());
        return (double) (read + decoded) / all * fewerTasks < SCANNED ? Export.Reading.CHOSEN : Export.Reading.SCAN;
    }
}
