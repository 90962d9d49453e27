package io.rankfeed.spark.file;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Chooses the lines of a source with metadata that the feeds of the job need. */
@FunctionalInterface
public interface LineChoice {
    /**
     * @param source its name
     * @param file its file, as rows name it: {@code <source name>/<path under its root>}
     * @param metadata a row a line: what the metadata says of it, and the line's number, {@link RowAddress#ROW}
     * @return numbers of lines, ascending
     */
    int[] of(String source, String file, Dataset<Row> metadata);
}
