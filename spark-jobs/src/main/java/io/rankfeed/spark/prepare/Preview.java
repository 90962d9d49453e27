package io.rankfeed.spark.prepare;

import io.rankfeed.job.FeedSection;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.spark.prepare.query.RowCounts;
import io.rankfeed.spark.run.PreparedTable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What the prepared table would be.
 *
 * @param table the table itself, if it is made already
 * @param counts of rows in it and of bad ones
 * @param lengthBytes of its files; an estimate where it is not made yet
 * @param schema its columns; where it is not made yet those are nullable in whose first rows a null was met
 * @param meanBytes by column, of a packed tensor, string or binary value in the first rows; 0 for others
 * @param scans what Spark reads of each table, in words
 * @param unpacked the query's rows without the columns that are packed, unread
 * @param stored the rows as the table would hold them, unread; packing them costs a scan of every column
 */
public record Preview(
        Optional<PreparedTable> table,
        RowCounts counts,
        long inputBytes,
        long lengthBytes,
        SampleSchema schema,
        List<Double> meanBytes,
        List<String> scans,
        Dataset<Row> unpacked,
        Dataset<Row> stored) {

    /** Rows over which a feed can be counted as over the prepared table: the cheapest that have what it asks for. */
    public Dataset<Row> rowsFor(FeedSection feed) {
        return answers(feed) ? unpacked : stored;
    }

    private boolean answers(FeedSection feed) {
        List<String> names = Arrays.asList(unpacked.columns());
        if (!feed.strata().stream().flatMap(column -> column.column().stream()).allMatch(names::contains)
                || !feed.orderBy().map(names::contains).orElse(true)) {
            return false;
        }
        try {
            feed.strata().forEach(column -> column.sql().ifPresent(unpacked::selectExpr));
            feed.where().ifPresent(unpacked::where);
            feed.stages().forEach(stage -> {
                stage.where().ifPresent(unpacked::where);
                stage.orderBy().ifPresent(unpacked::selectExpr);
            });
            return true;
        } catch (Exception e) {
            // Spark's Scala throws AnalysisException, a checked one, without declaring them.
            if (e instanceof AnalysisException) {
                return false;
            }
            throw e;
        }
    }
}
