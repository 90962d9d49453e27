package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.rankfeed.job.Job;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.digest.Xxh64;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.file.LineChoice;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.sample.select.FeedLists;
import io.rankfeed.spark.sample.strata.Quantiles;
import io.rankfeed.spark.sample.table.KeyedRows;
import io.rankfeed.spark.sample.table.PreparedFrame;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * The lines that the job's feeds choose, planned over the metadata alone. The plan over the rows that are then read
 * chooses the same ones: a pool is the rows of least priority, and leaving out others changes no priority.
 */
public record ChosenLines(JobContext context) implements LineChoice {
    @Override
    public int[] of(String source, String file, Dataset<Row> metadata) {
        Job job = context.job();
        if (job.sample().isEmpty()) {
            throw new ConfigException("sources." + source
                    + ".read: chosen reads what the feeds choose, but there is no feed; write sample:, or read: all");
        }
        Dataset<Row> rows = addressed(source, file, metadata);
        long lines = metadata.count();
        FeedLists lists = FeedLists.of(context);
        BitSet chosen = new BitSet();
        ConfigErrors errors = new ConfigErrors();
        new TreeMap<>(job.sample()).forEach((name, section) -> {
            context.progress().phase("choose the lines of feed " + name + " by the metadata of " + source);
            if (section.countsTheTable()) {
                throw new ConfigException("sources." + source + ".read: chosen leaves rows out that feed '" + name
                        + "' counts for its quantiles, proportional columns, stages' where or order-by, or rare strata;"
                        + " write read: all");
            }
            FeedPlanner planner = new FeedPlanner(rows, name, section, lists.chosen(name, section));
            errors.of(() -> planner.plan(lines, Quantiles.NONE))
                    .ifPresent(feed -> feed.pool(List.of(file), job.prepare().rowKey())
                            .forEach(row -> chosen.set(row.intValue())));
        });
        errors.throwIfAny();
        return chosen.stream().toArray();
    }

    /** The rows as the prepared table will address and identify them. */
    private Dataset<Row> addressed(String source, String file, Dataset<Row> metadata) {
        return metadata.withColumn(PreparedFrame.SOURCE, lit(0))
                .withColumn(PreparedFrame.SOURCE_ROW, col(RowAddress.ROW))
                .withColumn(PreparedFrame.FILE, lit(0))
                .withColumn(PreparedFrame.ROW, col(RowAddress.ROW))
                .withColumn(PreparedFrame.ROW_ID, rowId(source, file, metadata))
                .drop(RowAddress.ROW);
    }

    private Column rowId(String source, String file, Dataset<Row> metadata) {
        List<String> key = context.job().prepare().rowKey();
        if (key.isEmpty()) {
            UDF1<Long, Long> ofAddress =
                    line -> new KeyEncoding().address(file, line).rowId();
            return functions.udf(ofAddress, DataTypes.LongType).apply(col(RowAddress.ROW));
        }
        List<String> known = Arrays.stream(metadata.columns())
                .filter(column -> !column.equals(RowAddress.ROW))
                .toList();
        for (String column : key) {
            if (!known.contains(column)) {
                throw new ConfigException("sources." + source + ".read: chosen: the key '" + column
                        + "' is not in the metadata, which chooses the rows" + Suggestion.hint(column, known)
                        + "; leave prepare.key out, so that a line's number identifies its row, or write read: all");
            }
        }
        UDF1<byte[], Long> hashed = encoded -> Xxh64.hash(encoded, 0);
        return functions.udf(hashed, DataTypes.LongType).apply(KeyedRows.columnsKey(metadata, key));
    }
}
