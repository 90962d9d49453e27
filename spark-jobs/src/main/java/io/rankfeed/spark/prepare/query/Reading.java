package io.rankfeed.spark.prepare.query;

import io.rankfeed.export.parquet.FileRowGroup;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.engine.SourceScan;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.prepare.pack.GuardedPacker.Duplicates;
import io.rankfeed.spark.prepare.pack.RowPacker;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.prepare.write.KeyCheck;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a query reach their units. Rows that a query selects from one source go to ranges of its rows: a scan gives
 * them in the order of the source where there is one, else they are shuffled. Rows of a query that joins, groups or explodes are
 * shuffled by the hash of their key.
 */
public final class Reading {
    private final PreparedQuery query;
    private final RowCheck check;
    private final Optional<SourceScan> scan;
    private UnitPlanner.@Nullable Counts counts;

    private Reading(PreparedQuery query, RowCheck check, Optional<SourceScan> scan) {
        this.query = query;
        this.check = check;
        this.scan = scan;
    }

    /** @throws io.rankfeed.schema.failure.ConfigException if bad rows are accepted and the query cannot be computed by row */
    public static Reading of(PreparedQuery query) {
        RowCheck check = RowCheck.of(query);
        return new Reading(query, check, scan(query, check));
    }

    /** The scan that gives the query's rows in the order of their source, without a shuffle or sort. */
    private static Optional<SourceScan> scan(PreparedQuery query, RowCheck check) {
        boolean asInSource = query.provenance().narrow()
                && !check.leavesRowsOut()
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

    public PreparedQuery query() {
        return query;
    }

    public RowCheck check() {
        return check;
    }

    private boolean isByRange() {
        return query.provenance().narrow();
    }

    /** Whether every row of the source's files is read: {@link #refuseOtherCount} then compares with their footers. */
    public boolean isWhole() {
        return scan.filter(SourceScan::isWhole).isPresent();
    }

    private List<List<FileRowGroup>> rowGroups() {
        return query.source().map(OpenSource::rowGroups).orElse(List.of());
    }

    /** Rows by file, counted once. */
    private UnitPlanner.Counts counts() {
        if (counts == null) {
            counts = isWhole() ? UnitPlanner.counts(rowGroups()) : UnitPlanner.counts(check.computed(), query.places());
        }
        return counts;
    }

    /** All rows as one unit. */
    private Units one() {
        return isByRange() ? counts().units(1) : new Units.Hashes(1);
    }

    /** Counts the rows; without a scan where footers report them. */
    public RowCounts count() {
        return check.counted(isByRange() ? () -> counts().total() : query.rows()::count);
    }

    /**
     * The sizes of the first rows: those of the first file that has some. Where rows have no such order, the rows that Spark
     * returns first are measured; they are good for an estimate, but not reproducible.
     */
    public SizeSample sizes() {
        Units one = one();
        if (scan.isPresent()) {
            int first = counts().first();
            return first < 0
                    ? SizeSample.none(query.layout())
                    : sizes(scan.get().file(first).mapPartitions(query.packer(one)));
        }
        // A condition on the query's rows, so that Spark opens no other file.
        Dataset<Row> head = isByRange()
                ? check.computed()
                        .where(functions.col(RowAddress.FILE).equalTo(counts().firstPath()))
                        .where(functions.col(RowAddress.ROW).lt(SizeSample.MAX_ROWS))
                : check.computed().limit(SizeSample.MAX_ROWS);
        return sizes(check.sorted(check.packed(head, one), one, List.of()));
    }

    private SizeSample sizes(JavaRDD<InternalRow> sample) {
        return SizeSample.of(sample, query.layout(), query.section().compression());
    }

    /** The columns of the prepared table, as it would hold them. */
    public Dataset<Row> stored() {
        return check.packed(check.computed(), one())
                .select(Stream.of(query.layout().written().fieldNames())
                        .map(Columns::named)
                        .toArray(Column[]::new));
    }

    /** The columns that the prepared table holds as the query gives them; all columns, where rows may be left out. */
    public Dataset<Row> unpacked() {
        if (check.leavesRowsOut()) {
            return stored();
        }
        return query.rows()
                .select(query.layout().columns().stream()
                        .filter(column -> column.source().equals(column.stored()))
                        .map(column -> Columns.named(column.name()))
                        .toArray(Column[]::new));
    }

    /** The units that the rows are written in: a function of the inputs and the job. */
    public Units units() {
        return isByRange()
                ? UnitPlanner.ranges(counts(), sizes(), query.section(), rowGroups())
                : UnitPlanner.hashes(query.sources().lengthBytes(), query.section());
    }

    /** When duplicate keys are searched for. */
    public KeyCheck keyCheck() {
        boolean keysMeet = !isByRange() && query.section().clusterBy().isEmpty();
        if (keysMeet || !query.hasKey()) {
            return KeyCheck.WITHIN_UNIT;
        }
        return isByRange() && !check.leavesRowsOut()
                ? KeyCheck.of(counts().total(), query.sources().lengthBytes())
                : KeyCheck.BEFORE;
    }

    /** Searches for duplicate keys; see {@link RowCheck#duplicates}. */
    public Duplicates duplicates() {
        return check.duplicates();
    }

    /**
     * The packed rows, those of a unit in one partition and in their total order. They are shuffled, except where the query
     * has this order, or a scan gives the rows of each unit without reading a row group for two units.
     *
     * @param duplicates from {@link #duplicates}
     */
    public JavaRDD<InternalRow> byUnit(Units units, Duplicates duplicates) {
        if (query.byUnit()) {
            return InternalRows.of(query.rows()).mapPartitions(query.packer(units));
        }
        boolean inOrder = scan.isPresent()
                && units instanceof Units.Ranges ranges
                && ranges.alignedTo(rowGroups()).equals(ranges);
        return inOrder
                ? inOrder(scan.get(), (Units.Ranges) units)
                : check.sorted(
                        check.toWrite(units, duplicates), units, query.section().clusterBy());
    }

    private JavaRDD<InternalRow> inOrder(SourceScan scan, Units.Ranges units) {
        List<SourceScan.Range> all = IntStream.range(0, units.count())
                .mapToObj(unit -> new SourceScan.Range(units.from(unit), units.to(unit)))
                .toList();
        int[] order = scan.largestFirst(all);
        RowPacker packer = query.packer(units);
        return scan.ranges(IntStream.of(order).mapToObj(all::get).toList())
                .mapPartitionsWithIndex((index, rows) -> packer.ofUnit(order[index], rows), false);
    }

    /**
     * Refuses a table with another number of rows than was counted. Called after the check that no file has changed.
     *
     * @throws CorruptDataException if a source's footers have another number
     * @throws EnvironmentException if rows were counted by a scan
     */
    public void refuseOtherCount(long written) {
        if (!isByRange() || check.leavesRowsOut() || counts().total() == written) {
            return;
        }
        if (isWhole()) {
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
