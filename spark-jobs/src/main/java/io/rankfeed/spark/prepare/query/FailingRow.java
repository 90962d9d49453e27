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
import java.util.function.Consumer;
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
        refuseMistake(rows);
        return Optional.ofNullable(find(spark, rows, sources))
                .map(found -> new CorruptDataException(
                        found.place(), key + ": " + found.message() + "; " + SparkFailures.TRY, failure));
    }

    /** @throws ConfigException if an expression fails for every row */
    public static void refuseMistake(Dataset<Row> rows) {
        ConstantFailure.of(rows).ifPresent(message -> {
            throw new ConfigException("the job's SQL: " + message.replaceFirst("\\.$", "")
                    + "; the expression has no columns, so it fails for every row");
        });
    }

    /** The first failing row of the first chain that has one. */
    private static BadRows.@Nullable Found find(SparkSession spark, Dataset<Row> rows, Sources sources) {
        SourceIndex places = new SourceIndex();
        sources.all().forEach(places::add);
        for (RowChain chain : RowChain.of(spark, rows)) {
            RowSteps steps = chain.steps();
            Optional<BadRows> bad = among(chain.below(), places, () -> steps.open()::of);
            if (bad.isEmpty() || bad.get().first() != null) {
                return bad.map(BadRows::first).orElse(null);
            }
        }
        return null;
    }

    /** Work on rows, one after the other, which fails at bad ones. */
    interface Work extends Serializable {
        Consumer<InternalRow> open();
    }

    /** The rows at which work fails; empty if the rows themselves cannot be computed because one is bad. */
    static Optional<BadRows> among(Dataset<Row> rows, SourceIndex places, Work work) {
        List<String> columns = Arrays.asList(rows.columns());
        Scan scan = new Scan(work, places, columns.indexOf(RowAddress.FILE), columns.indexOf(RowAddress.ROW));
        try {
            return Optional.of(InternalRows.of(rows)
                    .mapPartitions(part -> List.of(scan.of(part)).iterator())
                    .fold(new BadRows(), BadRows::and));
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them.
            if (SparkFailures.isUnplacedBadRow(SparkFailures.translated(e))) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private record Scan(Work work, SourceIndex places, int file, int row) implements Serializable {
        BadRows of(Iterator<InternalRow> rows) {
            Consumer<InternalRow> each = work.open();
            BadRows bad = new BadRows();
            while (rows.hasNext()) {
                InternalRow raw = rows.next();
                try {
                    each.accept(raw);
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
