package io.rankfeed.spark.prepare.query;

import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.GuardedQuery;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.prepare.pack.GuardedPacker;
import io.rankfeed.spark.prepare.pack.GuardedPacker.Duplicates;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.RowPacker;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;

/** What happens to a row that cannot be computed or packed: the job fails, or the row is left out and counted. */
sealed interface RowGuard {
    static RowGuard of(PreparedQuery query) {
        return query.section().onBadRow() == OnBadRow.FAIL
                ? new Failing(query)
                : new Accepting(query, GuardedQuery.of(query.spark(), query.rows()));
    }

    /** What Spark computes: the query's rows, or those that they are computed from one by one. */
    Dataset<Row> computed();

    /** Makes packed rows of computed ones. */
    FlatMapFunction<Iterator<InternalRow>, InternalRow> packing(RowPacker packer);

    /**
     * Searches for duplicate keys.
     *
     * @return the rows that are bad because an earlier row has their key
     * @throws io.rankfeed.schema.failure.CorruptDataException if there is one and the job does not accept bad rows
     */
    Duplicates duplicates();

    /** @param rows counts all rows of the query, where none is left out */
    RowCounts counted(LongSupplier rows);

    /** Packed rows to be written, in no order; bad ones, where they are accepted, in a unit of their own. */
    Dataset<Row> toWrite(Units units, Duplicates duplicates);

    /** No row is bad, or the job fails. */
    record Failing(PreparedQuery query) implements RowGuard {
        @Override
        public Dataset<Row> computed() {
            return query.rows();
        }

        @Override
        public FlatMapFunction<Iterator<InternalRow>, InternalRow> packing(RowPacker packer) {
            return packer;
        }

        /** Scans the columns of the key alone. */
        @Override
        public Duplicates duplicates() {
            List<PreparedColumn> key = query.layout().columns().stream()
                    .filter(column -> query.section().key().contains(column.name()))
                    .toList();
            List<Column> columns = new ArrayList<>();
            key.forEach(column -> columns.add(Columns.named(column.name())));
            if (query.provenance().source().isPresent()) {
                columns.add(functions.col(RowAddress.FILE));
                columns.add(functions.col(RowAddress.ROW));
            }
            RowLayout layout = new RowLayout(key);
            PackedRows packed = query.packed(layout);
            packed.refuseDuplicates(packed.of(
                    query.rows().select(columns.toArray(Column[]::new)), query.packer(layout, new Units.Hashes(1))));
            return Duplicates.none();
        }

        @Override
        public RowCounts counted(LongSupplier rows) {
            return RowCounts.ofGood(rows.getAsLong());
        }

        @Override
        public Dataset<Row> toWrite(Units units, Duplicates duplicates) {
            return query.packed().of(query.rows(), query.packer(units));
        }
    }

    /** Bad rows are left out. */
    record Accepting(PreparedQuery query, GuardedQuery guarded) implements RowGuard {
        @Override
        public Dataset<Row> computed() {
            return guarded.below();
        }

        @Override
        public FlatMapFunction<Iterator<InternalRow>, InternalRow> packing(RowPacker packer) {
            return GuardedPacker.dropping(guarded, packer);
        }

        @Override
        public Duplicates duplicates() {
            return query.packed().duplicates(query.packed().of(computed(), packing(query.packer(new Units.Hashes(1)))));
        }

        @Override
        public RowCounts counted(LongSupplier rows) {
            return RowCounts.of(toWrite(new Units.Hashes(1), Duplicates.none()), query.hasKey());
        }

        @Override
        public Dataset<Row> toWrite(Units units, Duplicates duplicates) {
            RowPacker packer = query.packer(units);
            JavaSparkContext context =
                    JavaSparkContext.fromSparkContext(query.spark().sparkContext());
            List<JavaRDD<InternalRow>> badLines = new ArrayList<>();
            for (OpenSource source : query.sources().all()) {
                boolean driving = query.isDriving(source);
                source.badLines()
                        .ifPresent(lines -> badLines.add(lines.mapPartitions(part -> packer.bad(part, driving))));
            }
            return query.packed()
                    .of(
                            computed(),
                            GuardedPacker.dropping(guarded, packer).keeping(context.broadcast(duplicates)),
                            badLines);
        }
    }
}
