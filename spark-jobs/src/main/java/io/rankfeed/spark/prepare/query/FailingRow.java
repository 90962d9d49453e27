package io.rankfeed.spark.prepare.query;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.ConstantFailure;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.engine.RowChain;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.prepare.pack.BadRows;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.source.Sources;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Finds the row at which a query fails, by computing its SELECT lists and conditions row by row. */
public final class FailingRow {
    private FailingRow() {}

    /**
     * The failure with its place; empty if no expression of the query fails at a row of a source.
     *
     * @param key of the query in the job file, such as {@code prepare.sql}
     * @param failure {@linkplain SparkFailures#isUnplacedBadRow without a place}
     */
    public static Optional<RuntimeException> named(
            SparkSession spark, String key, Dataset<Row> rows, Sources sources, RuntimeException failure) {
        Optional<ConfigException> mistake = mistake(rows);
        if (mistake.isPresent()) {
            return Optional.of(mistake.get());
        }
        return Optional.ofNullable(find(spark, rows, sources))
                .map(found -> new CorruptDataException(
                        found.place(), key + ": " + found.message() + "; " + SparkFailures.TRY, failure));
    }

    /** The configuration error of an expression that fails for every row. */
    public static Optional<ConfigException> mistake(Dataset<Row> rows) {
        return ConstantFailure.of(rows)
                .map(message -> new ConfigException("the job's SQL: " + message.replaceFirst("\\.$", "")
                        + "; the expression has no columns, so it fails for every row"));
    }

    /** The first failing row of the first chain that has one. */
    private static BadRows.@Nullable Found find(SparkSession spark, Dataset<Row> rows, Sources sources) {
        SourceIndex places = new SourceIndex();
        sources.all().forEach(places::add);
        for (RowChain chain : RowChain.of(spark, rows)) {
            List<String> columns = Arrays.asList(chain.below().columns());
            Scan scan =
                    new Scan(chain.steps(), places, columns.indexOf(RowAddress.FILE), columns.indexOf(RowAddress.ROW));
            try {
                BadRows.Found found = InternalRows.of(chain.below())
                        .mapPartitions(part -> List.of(scan.of(part)).iterator())
                        .fold(new BadRows(), BadRows::and)
                        .first();
                if (found != null) {
                    return found;
                }
            } catch (Exception e) {
                // Scala throws checked exceptions without declaring them.
                if (SparkFailures.isUnplacedBadRow(SparkFailures.translated(e))) {
                    // The part below the chain fails, which cannot be computed row by row.
                    return null;
                }
                throw e;
            }
        }
        return null;
    }

    private record Scan(RowSteps steps, SourceIndex places, int file, int row) implements Serializable {
        BadRows of(Iterator<InternalRow> rows) {
            RowSteps.Run computing = steps.open();
            BadRows bad = new BadRows();
            while (rows.hasNext()) {
                InternalRow raw = rows.next();
                try {
                    computing.of(raw);
                } catch (RuntimeException e) {
                    UnfitValueException unfit = SparkFailures.unfitValue(e).orElseThrow(() -> e);
                    boolean placed = file >= 0 && row >= 0 && !raw.isNullAt(file);
                    int source = placed ? places.source(raw.getUTF8String(file).toString()) : -1;
                    long at = placed ? raw.getLong(row) : -1;
                    bad.add(unfit.reason(), new BadRows.Found(source, at, places.row(source, at), unfit.getMessage()));
                }
            }
            return bad;
        }
    }
}
