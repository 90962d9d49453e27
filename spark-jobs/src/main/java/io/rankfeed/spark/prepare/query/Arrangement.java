package io.rankfeed.spark.prepare.query;

import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.SourceScan;
import io.rankfeed.spark.prepare.pack.GuardedPacker.Duplicates;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.Units;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The order in which the rows of a query are stored, and the way to establish it: chosen once, from the query and the job. */
public sealed interface Arrangement permits InPlace, Rewrite {
    /** @throws io.rankfeed.schema.failure.ConfigException if bad rows are accepted and the query cannot be computed by row */
    static Arrangement of(PreparedQuery query) {
        RowGuard guard = RowGuard.of(query);
        Rewrite rewrite;
        if (!query.provenance().narrow()) {
            rewrite = new ByHash(query, guard);
        } else {
            Optional<SourceScan> scan = scan(query);
            ByRange byRange =
                    new ByRange(query, guard, scan.filter(SourceScan::isWhole).isPresent());
            rewrite = scan.<Rewrite>map(rows -> new InOrder(byRange, rows)).orElse(byRange);
        }
        return query.section().rewrite().isPresent() ? new InPlace(rewrite) : rewrite;
    }

    /** The scan that gives the query's rows in the order of their source, without a shuffle or sort. */
    private static Optional<SourceScan> scan(PreparedQuery query) {
        boolean asInSource = query.section().onBadRow() == OnBadRow.FAIL
                && query.section().clusterBy().isEmpty();
        return asInSource
                ? query.source()
                        .flatMap(source -> SourceScan.of(
                                query.spark(),
                                query.rows(),
                                source.rowGroups(),
                                source.lengthBytes(),
                                query.places()::source))
                : Optional.empty();
    }

    PreparedQuery query();

    /** Counts the rows; without a scan where footers report them. */
    RowCounts count();

    /** The sizes of the first rows. */
    SizeSample sizes();

    /** The columns of the prepared table, as it would hold them. */
    Dataset<Row> stored();

    /** The columns that the prepared table holds as the query gives them; all columns, where rows may be left out. */
    default Dataset<Row> unpacked() {
        if (query().section().onBadRow() != OnBadRow.FAIL) {
            return stored();
        }
        return query().rows()
                .select(query().layout().columns().stream()
                        .filter(column -> column.source().equals(column.stored()))
                        .map(column -> Columns.named(column.name()))
                        .toArray(Column[]::new));
    }

    /** Searches for duplicate keys; see {@link RowGuard#duplicates}. A job without a key has none. */
    Duplicates duplicates();

    /** Columns of the prepared table out of packed rows. */
    static Dataset<Row> stored(PreparedQuery query, RowGuard guard, Units units) {
        RowLayout layout = query.layout();
        return query.packed()
                .of(guard.computed(), guard.packing(query.packer(units)))
                .select(Stream.of(layout.written().fieldNames())
                        .map(Columns::named)
                        .toArray(Column[]::new));
    }
}
