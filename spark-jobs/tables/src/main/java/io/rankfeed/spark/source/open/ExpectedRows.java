package io.rankfeed.spark.source.open;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.file.RowAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The number of rows of each file of a source, from a source other than Spark's reader: the footers, the table's log, or one
 * per file.
 *
 * @param read all rows of the source before any condition, each with its {@link RowAddress#FILE}
 * @param rows by file, as {@link RowAddress#canonical} spells it; files without rows may be left out
 */
public record ExpectedRows(Dataset<Row> read, Map<String, Long> rows) {
    /** The numbers of rows that files state, each of them. */
    public static ExpectedRows of(Dataset<Row> read, List<? extends ColumnedFile> files) {
        return new ExpectedRows(
                read,
                files.stream().collect(Collectors.toMap(file -> file.file().canonical(), file -> file.rows()
                        .orElseThrow())));
    }

    /**
     * Counts the rows that Spark reads of each file; of Parquet files Spark reads only footers for that.
     *
     * @throws CorruptDataException naming the first file whose counts differ
     */
    void compare(String source) {
        TreeMap<String, Long> missing = new TreeMap<>(rows);
        Map<String, Long> found = new HashMap<>();
        for (Map<String, long[]> ofTask : InternalRows.of(read.select(RowAddress.FILE))
                .mapPartitions(files -> List.of(counted(files)).iterator())
                .collect()) {
            ofTask.forEach((file, count) -> found.merge(RowAddress.canonical(file), count[0], Long::sum));
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

    private static Map<String, long[]> counted(Iterator<InternalRow> files) {
        Map<String, long[]> counts = new HashMap<>();
        @Nullable UTF8String file = null;
        // The rows of a file usually follow one another: it is looked up once for a run of them.
        long[] rows = {0};
        while (files.hasNext()) {
            UTF8String next = files.next().getUTF8String(0);
            if (!next.equals(file)) {
                file = next.clone();
                rows = counts.computeIfAbsent(file.toString(), first -> new long[1]);
            }
            rows[0]++;
        }
        return counts;
    }

    private static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
