package io.rankfeed.spark.prepare.query;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.GuardedQuery;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.prepare.pack.BadRows;
import io.rankfeed.spark.prepare.pack.RowPacker;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.source.open.OpenSource;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;

/** Finds the bad rows of a query, and the bad lines of its sources, by one more pass. */
public final class BadRowScan {
    private BadRowScan() {}

    /**
     * Bad rows by reason, with the first of them; none if the query cannot be computed row by row, or fails below the part
     * that can.
     */
    public static BadRows of(PreparedQuery query) {
        GuardedQuery guarded;
        try {
            guarded = GuardedQuery.of(query.spark(), query.rows());
        } catch (ConfigException e) {
            return new BadRows();
        }
        RowSteps steps = guarded.steps();
        RowPacker packer = query.packer(new Units.Hashes(1));
        SourceIndex places = query.places();
        Optional<BadRows> rows = FailingRow.among(guarded.below(), places, () -> {
            RowSteps.Run computing = steps.open();
            Consumer<InternalRow> packing = packer.check();
            return row -> {
                InternalRow computed = computing.of(row);
                if (computed != null) {
                    packing.accept(computed);
                }
            };
        });
        if (rows.isEmpty()) {
            return new BadRows();
        }
        BadRows bad = rows.get();
        for (OpenSource source : query.sources().all()) {
            if (source.badLines().isPresent()) {
                boolean driving = query.isDriving(source);
                bad = bad.and(source.badLines()
                        .get()
                        .mapPartitions(lines ->
                                List.of(counted(lines, places, driving)).iterator())
                        .fold(new BadRows(), BadRows::and));
            }
        }
        return bad;
    }

    /**
     * Refuses more bad rows than the job permits: a source that has changed makes many rows bad at once.
     *
     * @param maxShare of bad rows
     * @throws CorruptDataException naming the first of them
     */
    public static void refuseMany(Supplier<PreparedQuery> made, BigDecimal maxShare, RowCounts counts) {
        if (BigDecimal.valueOf(counts.badRows()).compareTo(maxShare.multiply(BigDecimal.valueOf(counts.all()))) <= 0) {
            return;
        }
        PreparedQuery query = made.get();
        FailingRow.refuseMistake(query.rows());
        BadRows.Found first = of(query).first();
        throw new CorruptDataException(
                first == null ? "the query" : first.place(),
                String.format(
                        Locale.ROOT,
                        "%s%,d of %,d rows are bad %s, more than the share of %s that the job permits;"
                                + " correct the source or the SQL, or raise prepare.quarantine-at-most",
                        first == null ? "" : first.message() + "; ",
                        counts.badRows(),
                        counts.all(),
                        BadRows.reasons(counts.bad()),
                        maxShare.toPlainString()));
    }

    private static BadRows counted(Iterator<BadLine> lines, SourceIndex places, boolean driving) {
        BadRows bad = new BadRows();
        lines.forEachRemaining(line -> bad.add(
                line.reason(),
                new BadRows.Found(
                        driving ? places.source(line.file()) : -1, line.number(), line.location(), line.what())));
        return bad;
    }
}
