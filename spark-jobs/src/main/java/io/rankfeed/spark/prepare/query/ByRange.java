package io.rankfeed.spark.prepare.query;

import io.rankfeed.export.parquet.FileRowGroup;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.prepare.pack.GuardedPacker.Duplicates;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.prepare.write.KeyCheck;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** A query that selects rows of one source: units are ranges of its rows, brought together by a shuffle. */
final class ByRange implements Rewrite {
    private final PreparedQuery query;
    private final RowGuard guard;
    private final boolean wholeFiles;
    private UnitPlanner.@Nullable Counts counts;

    /** @param wholeFiles whether the query gives every row of the files, so that their footers have the counts */
    ByRange(PreparedQuery query, RowGuard guard, boolean wholeFiles) {
        this.query = query;
        this.guard = guard;
        this.wholeFiles = wholeFiles;
    }

    @Override
    public PreparedQuery query() {
        return query;
    }

    /** Rows by file, counted once. */
    UnitPlanner.Counts counts() {
        if (counts == null) {
            counts =
                    wholeFiles ? UnitPlanner.counts(rowGroups()) : UnitPlanner.counts(guard.computed(), query.places());
        }
        return counts;
    }

    List<List<FileRowGroup>> rowGroups() {
        return query.source().map(OpenSource::rowGroups).orElse(List.of());
    }

    private boolean isFailing() {
        return query.section().onBadRow() == OnBadRow.FAIL;
    }

    @Override
    public RowCounts count() {
        return guard.counted(() -> counts().total());
    }

    @Override
    public SizeSample sizes() {
        return SizeSample.ofFirst(
                guard.computed(),
                counts(),
                query.packed(),
                guard.packing(query.packer(counts().units(1))),
                query.layout(),
                query.section().compression());
    }

    @Override
    public Dataset<Row> stored() {
        return Arrangement.stored(query, guard, counts().units(1));
    }

    @Override
    public Units units() {
        return units(sizes());
    }

    Units.Ranges units(SizeSample sizes) {
        return UnitPlanner.ranges(counts(), sizes, query.section(), rowGroups());
    }

    @Override
    public KeyCheck keyCheck() {
        return isFailing() && query.hasKey()
                ? KeyCheck.of(counts().total(), query.sources().lengthBytes())
                : KeyCheck.BEFORE;
    }

    @Override
    public boolean keysMeet() {
        return false;
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

    @Override
    public boolean isWhole() {
        return wholeFiles;
    }

    /** Called after the check that no file has changed. */
    @Override
    public void refuseOtherCount(long written) {
        if (!isFailing() || counts().total() == written) {
            return;
        }
        if (wholeFiles) {
            throw new CorruptDataException(
                    query.source().map(source -> "sources." + source.name()).orElse("sources"),
                    "its files have " + Plural.counted(counts().total(), "row") + " by their footers, and "
                            + Plural.counted(written, "row was", "rows were")
                            + " written. Nothing was committed: check the files with 'rankfeed inspect' and write them"
                            + " again");
        }
        throw new EnvironmentException("counted " + counts().total() + " rows and wrote " + written
                + "; an input changed while the job read it: run the job again when its inputs no longer change");
    }
}
