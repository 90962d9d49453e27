package io.rankfeed.spark.source.open;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.RowAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * How many rows the files of a source have by what is known without Spark: their footers, the table's log, or that each
 * file is a row.
 *
 * @param read all rows of the source before any condition, each with its {@link RowAddress#FILE}
 * @param rows by file, as {@link RowAddress#canonical} spells it; files without rows may be left out
 */
public record ExpectedRows(Dataset<Row> read, Map<String, Long> rows) {
    /** Of the Parquet files that these footers end. */
    public static ExpectedRows of(Dataset<Row> read, List<SourceFooter> footers) {
        return new ExpectedRows(
                read,
                footers.stream()
                        .collect(Collectors.toMap(footer -> footer.file().canonical(), SourceFooter::rows)));
    }

    /**
     * Counts what Spark reads of each file; of Parquet files that is their footers.
     *
     * @throws CorruptDataException naming the first file of which other rows are read
     */
    void compare(String source) {
        TreeMap<String, Long> missing = new TreeMap<>(rows);
        Map<String, Long> found = new HashMap<>();
        for (Row file : read.groupBy(RowAddress.FILE).count().collectAsList()) {
            found.put(RowAddress.canonical(file.getString(0)), file.getLong(1));
        }
        found.forEach((file, count) -> missing.merge(file, -count, Long::sum));
        missing.values().removeIf(difference -> difference == 0);
        if (!missing.isEmpty()) {
            String file = missing.firstKey();
            throw new CorruptDataException(
                    file,
                    "sources." + source + ": Spark reads " + Plural.counted(found.getOrDefault(file, 0L), "row")
                            + " of this file, which has " + rows.getOrDefault(file, 0L) + "; counts differ in "
                            + Plural.counted(missing.size(), "file") + ", " + total(found) + " rows read of "
                            + total(rows) + " in all. Nothing was committed: check the file with 'rankfeed inspect'"
                            + " and write it again");
        }
    }

    private static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
