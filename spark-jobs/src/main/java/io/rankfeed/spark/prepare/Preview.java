package io.rankfeed.spark.prepare;

import io.rankfeed.spark.run.PreparedTable;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What the prepared table would be.
 *
 * @param table the table itself, if it is made already
 * @param data the query's rows, unread
 */
public record Preview(Optional<PreparedTable> table, long rows, int columns, long inputBytes, Dataset<Row> data) {
    /** How many rows a feed's condition leaves. */
    public long count(Optional<String> where) {
        return where.map(condition -> data.where(condition).count()).orElse(rows);
    }
}
