package io.rankfeed.spark.prepare.query;

import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.prepare.pack.GuardedPacker;
import io.rankfeed.spark.prepare.pack.KeyText;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.prepare.pack.Units;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;

/** The query's rows in the form of {@link RowLayout}: packed, brought to their units, sorted, and searched for duplicate keys. */
final class PackedRows {
    private static final int MAX_DUPLICATES = 1 << 20;

    private final SparkSession spark;
    private final RowLayout layout;
    private final SourceIndex places;
    private final OnBadRow onBadRow;

    PackedRows(SparkSession spark, RowLayout layout, SourceIndex places, OnBadRow onBadRow) {
        this.spark = spark;
        this.layout = layout;
        this.places = places;
        this.onBadRow = onBadRow;
    }

    /** Rows of {@link RowLayout}, in no order. */
    Dataset<Row> of(Dataset<Row> rows, FlatMapFunction<Iterator<InternalRow>, InternalRow> packer) {
        return of(rows, packer, List.of());
    }

    /** Packs rows, and adds rows that are packed already, in no order. */
    Dataset<Row> of(
            Dataset<Row> rows,
            FlatMapFunction<Iterator<InternalRow>, InternalRow> packer,
            List<JavaRDD<InternalRow>> more) {
        JavaRDD<InternalRow> shaped = InternalRows.of(rows).mapPartitions(packer);
        for (JavaRDD<InternalRow> others : more) {
            shaped = shaped.union(others);
        }
        return InternalRows.query(spark, shaped, layout.shuffled());
    }

    /** @param clusterBy columns of the user's that go before the total order; perhaps none */
    JavaRDD<InternalRow> sorted(Dataset<Row> packed, Units units, List<String> clusterBy) {
        // A partition is a unit: with the unit first, Spark would compare whole rows where one number is enough.
        List<Column> order = new ArrayList<>();
        clusterBy.forEach(column -> order.add(Columns.named(column)));
        order.add(functions.col(RowLayout.MAJOR));
        order.add(functions.col(RowLayout.KEY));
        // Bad rows have a partition of their own after the units'.
        int partitions = units.count() + (onBadRow == OnBadRow.FAIL ? 0 : 1);
        return InternalRows.of(packed.repartitionById(partitions, functions.col(RowLayout.UNIT))
                .sortWithinPartitions(order.toArray(Column[]::new)));
    }

    /** The addresses of rows whose key an earlier row has. */
    GuardedPacker.Duplicates duplicates(Dataset<Row> packed) {
        Column place = functions.struct(functions.col(RowLayout.SOURCE), functions.col(RowLayout.SOURCE_ROW));
        List<Row> duplicates = packed.groupBy(RowLayout.KEY)
                .agg(functions.array_sort(functions.collect_list(place)).as("places"))
                .where("size(places) > 1")
                .selectExpr("explode(slice(places, 2, size(places) - 1)) AS place")
                .limit(MAX_DUPLICATES + 1)
                .collectAsList();
        if (duplicates.size() > MAX_DUPLICATES) {
            throw new ConfigException("prepare.on-bad-row: more than " + MAX_DUPLICATES
                    + " rows have a duplicate key; " + KeyText.REMEDY);
        }
        HashSet<GuardedPacker.Place> places = new HashSet<>();
        duplicates.forEach(row -> places.add(new GuardedPacker.Place(
                row.getStruct(0).getInt(0), row.getStruct(0).getLong(1))));
        return new GuardedPacker.Duplicates(places);
    }

    /** @throws CorruptDataException naming the first duplicate key and two of its rows */
    void refuseDuplicates(Dataset<Row> packed) {
        Column place = functions.struct(functions.col(RowLayout.SOURCE), functions.col(RowLayout.SOURCE_ROW));
        List<Row> twice = packed.groupBy(RowLayout.KEY)
                .agg(functions.count(functions.lit(1)).as("count"), functions.min(place), functions.max(place))
                .where("count > 1")
                .orderBy(RowLayout.KEY)
                .limit(1)
                .collectAsList();
        if (!twice.isEmpty()) {
            Row found = twice.get(0);
            Row first = found.getStruct(2);
            Row last = found.getStruct(3);
            throw new CorruptDataException(
                    places.rows(first.getInt(0), first.getLong(1), last.getInt(0), last.getLong(1)),
                    KeyText.duplicate(found.getAs(0)));
        }
    }
}
