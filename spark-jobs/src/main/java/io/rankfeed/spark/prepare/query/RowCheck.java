package io.rankfeed.spark.prepare.query;

import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.GuardedQuery;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.prepare.pack.GuardedPacker;
import io.rankfeed.spark.prepare.pack.GuardedPacker.Duplicates;
import io.rankfeed.spark.prepare.pack.KeyText;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.RowPacker;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;

/**
 * Packs the rows of a query and finds duplicate keys. A row that cannot be computed or packed ends the job, or is left out and
 * counted, as the job says.
 *
 * @param guarded the query, cut where its rows are computed one by one; empty if a bad row ends the job
 */
public record RowCheck(PreparedQuery query, Optional<GuardedQuery> guarded) {
    private static final int MAX_DUPLICATES = 1 << 20;

    /** @throws ConfigException if bad rows are accepted and the query cannot be computed row by row */
    static RowCheck of(PreparedQuery query) {
        return new RowCheck(
                query, guarded(query.spark(), query.rows(), query.section().onBadRow()));
    }

    private static Optional<GuardedQuery> guarded(SparkSession spark, Dataset<Row> rows, OnBadRow onBadRow) {
        return onBadRow == OnBadRow.FAIL ? Optional.empty() : Optional.of(GuardedQuery.of(spark, rows));
    }

    /** The rows that Spark computes, where any failure ends the job: those of the query, or those below its guarded part. */
    public static Dataset<Row> computed(SparkSession spark, Dataset<Row> rows, OnBadRow onBadRow) {
        return guarded(spark, rows, onBadRow).map(GuardedQuery::below).orElse(rows);
    }

    boolean leavesRowsOut() {
        return guarded.isPresent();
    }

    /** What Spark computes: the query's rows, or those that they are computed from one by one. */
    Dataset<Row> computed() {
        return guarded.map(GuardedQuery::below).orElseGet(query::rows);
    }

    /** Gives packed rows of the columns as JSON; empty if a bad row ends the job. */
    public Optional<RowSteps> content() {
        RowLayout layout = query.layout();
        return guarded.map(accepted -> GuardedQuery.content(
                query.spark(),
                layout.shuffled(),
                layout.columns().stream().map(PreparedColumn::name).toList()));
    }

    /** Packs computed rows, in no order; bad ones are left out where they are accepted. */
    Dataset<Row> packed(Dataset<Row> computed, Units units) {
        RowPacker packer = query.packer(units);
        return packed(
                query.layout(), computed, guarded.isPresent() ? GuardedPacker.of(guarded.get(), packer, null) : packer);
    }

    private Dataset<Row> packed(
            RowLayout layout, Dataset<Row> rows, FlatMapFunction<Iterator<InternalRow>, InternalRow> packer) {
        return InternalRows.query(query.spark(), InternalRows.of(rows).mapPartitions(packer), layout.shuffled());
    }

    /** Packed rows to be written, in no order; bad ones, where they are accepted, in a unit of their own. */
    Dataset<Row> toWrite(Units units, Duplicates duplicates) {
        RowPacker packer = query.packer(units);
        if (guarded.isEmpty()) {
            return packed(query.layout(), computed(), packer);
        }
        JavaSparkContext context =
                JavaSparkContext.fromSparkContext(query.spark().sparkContext());
        JavaRDD<InternalRow> rows = InternalRows.of(computed())
                .mapPartitions(GuardedPacker.of(guarded.get(), packer, context.broadcast(duplicates)));
        for (OpenSource source : query.sources().all()) {
            if (source.badLines().isPresent()) {
                boolean driving = query.isDriving(source);
                rows = rows.union(source.badLines().get().mapPartitions(lines -> packer.bad(lines, driving)));
            }
        }
        return InternalRows.query(query.spark(), rows, query.layout().shuffled());
    }

    /**
     * Shuffles packed rows to their units and sorts them.
     *
     * @param clusterBy columns of the user's that go before the total order; perhaps none
     */
    JavaRDD<InternalRow> sorted(Dataset<Row> packed, Units units, List<String> clusterBy) {
        // A partition is a unit: with the unit first, Spark would compare whole rows where one number is enough.
        List<Column> order = new ArrayList<>();
        clusterBy.forEach(column -> order.add(Columns.named(column)));
        order.addAll(List.of(functions.col(RowLayout.MAJOR), functions.col(RowLayout.KEY)));
        // Bad rows have a partition of their own after the units'.
        int partitions = units.count() + (leavesRowsOut() ? 1 : 0);
        return InternalRows.of(packed.repartitionById(partitions, functions.col(RowLayout.UNIT))
                .sortWithinPartitions(order.toArray(Column[]::new)));
    }

    /** @param rows counts all rows of the query, where none is left out */
    RowCounts counted(LongSupplier rows) {
        return leavesRowsOut()
                ? RowCounts.of(toWrite(new Units.Hashes(1), Duplicates.none()), query.hasKey())
                : RowCounts.ofGood(rows.getAsLong());
    }

    /**
     * Searches for duplicate keys. A job without a key has none.
     *
     * @return the rows that are bad because an earlier row has their key
     * @throws CorruptDataException if there is one and the job does not accept bad rows
     */
    Duplicates duplicates() {
        if (!query.hasKey()) {
            return Duplicates.none();
        }
        if (leavesRowsOut()) {
            return duplicates(packed(computed(), new Units.Hashes(1)));
        }
        refuseDuplicates();
        return Duplicates.none();
    }

    private static Duplicates duplicates(Dataset<Row> packed) {
        List<Row> duplicates = packed.groupBy(RowLayout.KEY)
                .agg(functions.array_sort(functions.collect_list(place())).as("places"))
                .where("size(places) > 1")
                .selectExpr("explode(slice(places, 2, size(places) - 1)) AS place")
                .limit(MAX_DUPLICATES + 1)
                .collectAsList();
        if (duplicates.size() > MAX_DUPLICATES) {
            throw new ConfigException("prepare.on-bad-row: more than " + MAX_DUPLICATES + " rows have a duplicate key; "
                    + KeyText.REMEDY);
        }
        HashSet<GuardedPacker.Place> places = new HashSet<>();
        duplicates.forEach(row -> places.add(new GuardedPacker.Place(
                row.getStruct(0).getInt(0), row.getStruct(0).getLong(1))));
        return new Duplicates(places);
    }

    /** Scans the columns of the key. If two row ids are equal, scans them again to name the first duplicate key and two of its rows. */
    private void refuseDuplicates() {
        List<PreparedColumn> key = query.layout().columns().stream()
                .filter(column -> query.section().key().contains(column.name()))
                .toList();
        List<Column> columns = new ArrayList<>();
        key.forEach(column -> columns.add(Columns.named(column.name())));
        if (query.provenance().source().isPresent()) {
            columns.addAll(List.of(functions.col(RowAddress.FILE), functions.col(RowAddress.ROW)));
        }
        RowLayout layout = new RowLayout(key);
        Dataset<Row> packed = packed(
                layout, query.rows().select(columns.toArray(Column[]::new)), query.packer(layout, new Units.Hashes(1)));
        if (!anyIdTwice(packed)) {
            return;
        }
        List<Row> duplicates = packed.groupBy(RowLayout.KEY)
                .agg(functions.count(functions.lit(1)).as("count"), functions.min(place()), functions.max(place()))
                .where("count > 1")
                .orderBy(RowLayout.KEY)
                .limit(1)
                .collectAsList();
        if (!duplicates.isEmpty()) {
            Row found = duplicates.get(0);
            Row first = found.getStruct(2);
            Row last = found.getStruct(3);
            throw new CorruptDataException(
                    query.places().rows(first.getInt(0), first.getLong(1), last.getInt(0), last.getLong(1)),
                    KeyText.duplicate(found.<byte[]>getAs(0)));
        }
    }

    /** Whether two rows have the same id. Rows with equal keys have; two other rows have with a probability of 2⁻⁶⁴. */
    private static boolean anyIdTwice(Dataset<Row> packed) {
        Column id = functions.col(RowLayout.ROW_ID);
        FlatMapFunction<Iterator<InternalRow>, Boolean> twice = sorted -> {
            boolean isFound = false;
            for (long last = 0, count = 0; !isFound && sorted.hasNext(); count++) {
                long next = sorted.next().getLong(0);
                isFound = count > 0 && next == last;
                last = next;
            }
            return Collections.singleton(isFound).iterator();
        };
        return InternalRows.of(packed.select(id).repartition(id).sortWithinPartitions(id))
                .mapPartitions(twice)
                .collect()
                .contains(true);
    }

    private static Column place() {
        return functions.struct(functions.col(RowLayout.SOURCE), functions.col(RowLayout.SOURCE_ROW));
    }
}
