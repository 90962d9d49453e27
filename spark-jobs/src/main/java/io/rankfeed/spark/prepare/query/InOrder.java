package io.rankfeed.spark.prepare.query;

import io.rankfeed.spark.engine.SourceScan;
import io.rankfeed.spark.prepare.pack.GuardedPacker.Duplicates;
import io.rankfeed.spark.prepare.pack.RowPacker;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.prepare.write.KeyCheck;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;

/** The ranges of {@link ByRange}, read in the order of the source: no shuffle, no sort. */
record InOrder(ByRange byRange, SourceScan scan) implements Rewrite {
    @Override
    public PreparedQuery query() {
        return byRange.query();
    }

    @Override
    public RowCounts count() {
        return byRange.count();
    }

    @Override
    public SizeSample sizes() {
        UnitPlanner.Counts counts = byRange.counts();
        return SizeSample.ofFirst(
                scan,
                counts,
                query().packer(counts.units(1)),
                query().layout(),
                query().section().compression());
    }

    @Override
    public Dataset<Row> stored() {
        return byRange.stored();
    }

    @Override
    public Units units() {
        return byRange.units(sizes());
    }

    @Override
    public KeyCheck keyCheck() {
        return byRange.keyCheck();
    }

    @Override
    public boolean keysMeet() {
        return false;
    }

    @Override
    public Duplicates duplicates() {
        return byRange.duplicates();
    }

    /** Shuffles nevertheless where a row group would be read for two units. */
    @Override
    public JavaRDD<InternalRow> byUnit(Units units, Duplicates duplicates) {
        Units.Ranges ranges = (Units.Ranges) units;
        if (!ranges.alignedTo(byRange.rowGroups()).equals(ranges)) {
            return byRange.byUnit(units, duplicates);
        }
        List<SourceScan.Range> all = IntStream.range(0, units.count())
                .mapToObj(unit -> new SourceScan.Range(ranges.from(unit), ranges.to(unit)))
                .toList();
        int[] order = scan.largestFirst(all);
        RowPacker packer = query().packer(units);
        return scan.ranges(IntStream.of(order).mapToObj(all::get).toList())
                .mapPartitionsWithIndex((index, rows) -> packer.ofUnit(order[index], rows), false);
    }

    @Override
    public boolean isWhole() {
        return byRange.isWhole();
    }

    @Override
    public void refuseOtherCount(long written) {
        byRange.refuseOtherCount(written);
    }
}
