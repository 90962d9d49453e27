package io.rankfeed.spark.prepare.query;

import io.rankfeed.spark.prepare.pack.GuardedPacker.Duplicates;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.prepare.write.KeyCheck;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;

/** A query that joins, groups or explodes: rows go to units by the hash of their key, and are sorted by it. */
record ByHash(PreparedQuery query, RowGuard guard) implements Rewrite {
    @Override
    public RowCounts count() {
        return guard.counted(query.rows()::count);
    }

    @Override
    public SizeSample sizes() {
        return SizeSample.ofAny(
                guard.computed(),
                query.packed(),
                guard.packing(query.packer(new Units.Hashes(1))),
                query.layout(),
                query.section().compression());
    }

    @Override
    public Dataset<Row> stored() {
        return Arrangement.stored(query, guard, new Units.Hashes(1));
    }

    @Override
    public Units units() {
        return UnitPlanner.hashes(query.sources().lengthBytes(), query.section());
    }

    @Override
    public KeyCheck keyCheck() {
        return KeyCheck.BEFORE;
    }

    @Override
    public boolean keysMeet() {
        return query.section().clusterBy().isEmpty();
    }

    @Override
    public Duplicates duplicates() {
        return query.hasKey() ? guard.duplicates() : Duplicates.none();
    }

    @Override
    public JavaRDD<InternalRow> byUnit(Units units, Duplicates duplicates) {
        return query.packed()
                .sorted(guard.toWrite(units, duplicates), units, query.section().clusterBy());
    }
}
