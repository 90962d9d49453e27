package io.rankfeed.spark.prepare.query;

import io.rankfeed.export.parquet.FileRowGroup;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.GuardedQuery;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.engine.Provenance;
import io.rankfeed.spark.engine.SourceScan;
import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.job.Job;
import io.rankfeed.spark.job.PrepareSection;
import io.rankfeed.spark.job.PrepareSection.NonFinite;
import io.rankfeed.spark.job.PrepareSection.OnBadRow;
import io.rankfeed.spark.job.TensorSection;
import io.rankfeed.spark.prepare.pack.BadRows;
import io.rankfeed.spark.prepare.pack.Finiteness;
import io.rankfeed.spark.prepare.pack.GuardedPacker;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.RowPacker;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.prepare.write.KeyCheck;
import io.rankfeed.spark.prepare.write.TableWriter;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.source.Sources;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;

/** The job's query, checked: its columns, its key, where its rows come from, and the units that follow. */
public final class PreparedQuery {
    private final Job job;
    private final Provenance provenance;
    private final RowLayout layout;
    private final long inputBytes;
    private final SourceIndex places = new SourceIndex();
    private final @Nullable GuardedQuery guarded;
    private final Sources sources;
    private final SparkSession spark;
    private UnitPlanner.@Nullable Counts counts;
    private Optional<SourceScan> scan = Optional.empty();
    private boolean scanPlanned;
    private GuardedPacker.Twins duplicates = new GuardedPacker.Twins(new HashSet<>());

    private PreparedQuery(
            SparkSession spark, Job job, Provenance provenance, Sources sources, Map<String, TensorSection> tensors) {
        this.spark = spark;
        this.job = job;
        this.provenance = provenance;
        this.guarded = job.prepare().onBadRow() == OnBadRow.FAIL ? null : GuardedQuery.of(spark, provenance.rows());
        this.sources = sources;
        this.inputBytes = sources.lengthBytes();
        this.layout = new RowLayout(QueryColumns.of(rows().schema(), job.prepare(), tensors));
        requireKey();
        source().ifPresent(places::add);
    }

    /** @throws ConfigException if the query is wrong, a column cannot be held, or a key is wrong or lacking */
    public static PreparedQuery of(JobContext context, Sources sources) {
        Job job = context.job();
        SparkSession spark = context.spark();
        Provenance provenance = Provenance.of(spark, job.query(), job.sources().keySet());
        return new PreparedQuery(spark, job, provenance, sources, tensors(context, provenance.rows()));
    }

    private static Map<String, TensorSection> tensors(JobContext context, Dataset<Row> rows) {
        PrepareSection section = context.job().prepare();
        boolean auto = section.tensors().values().stream().anyMatch(TensorSection::isAuto);
        if (auto && section.onBadRow() != OnBadRow.FAIL) {
            throw new ConfigException("prepare.tensors: dtype: auto looks at every row before one is taken, and"
                    + " on-bad-row leaves some out; write the dtype");
        }
        return auto ? NarrowestTypes.decided(rows, section.tensors(), context.progress()) : section.tensors();
    }

    public RowLayout layout() {
        return layout;
    }

    public Dataset<Row> rows() {
        return provenance.rows();
    }

    /** What Spark computes: the query's rows, or those that they are computed from one by one. */
    private Dataset<Row> computed() {
        return guarded == null ? rows() : guarded.below();
    }

    private FlatMapFunction<Iterator<InternalRow>, InternalRow> packing(RowPacker packer) {
        return guarded == null ? packer : GuardedPacker.dropping(guarded, packer);
    }

    /** The scan that gives the rows in their order already, so that they need not be brought to units and sorted. */
    private Optional<SourceScan> scan() {
        if (!scanPlanned) {
            scanPlanned = true;
            scan = provenance.narrow()
                            && guarded == null
                            && job.prepare().clusterBy().isEmpty()
                    ? source().flatMap(source ->
                            SourceScan.of(spark, rows(), source.rowGroups(), source.lengthBytes(), places::source))
                    : Optional.empty();
        }
        return scan;
    }

    private Optional<OpenSource> source() {
        return provenance.source().flatMap(sources::find);
    }

    /** When keys that stand twice are looked for; where equal keys meet in a unit, it is there. */
    public KeyCheck keyCheck(Units units) {
        boolean looksForTwins =
                guarded == null && !keysMeet(units) && !job.prepare().key().isEmpty();
        return looksForTwins && counts != null ? KeyCheck.of(counts.total(), inputBytes) : KeyCheck.BEFORE;
    }

    private boolean keysMeet(Units units) {
        return !units.keepsOrder() && job.prepare().clusterBy().isEmpty();
    }

    /**
     * The rows to write, packed, a unit's in one partition and in their total order.
     *
     * Call {@link #checkKeysBefore} first.
     */
    public JavaRDD<InternalRow> byUnit(TableWriter writer, Units units, JavaSparkContext context) {
        if (scan().isPresent() && units instanceof Units.Ranges ranges && isAligned(ranges)) {
            RowPacker packer = packer(units);
            List<SourceScan.Range> all = IntStream.range(0, units.count())
                    .mapToObj(unit -> new SourceScan.Range(ranges.from(unit), ranges.to(unit)))
                    .toList();
            int[] order = scan().get().largestFirst(all);
            return scan().get()
                    .ranges(IntStream.of(order).mapToObj(all::get).toList())
                    .mapPartitionsWithIndex((index, rows) -> packer.ofUnit(order[index], rows), false);
        }
        return writer.sorted(
                packed(writer, units, context), units, job.prepare().clusterBy());
    }

    /** Whether no row group of the source would be read for two units. */
    private boolean isAligned(Units.Ranges units) {
        return source().map(source -> units.alignedTo(source.rowGroups()).equals(units))
                .orElse(false);
    }

    /**
     * Finds duplicate keys where this is done before any row is written; a job without a key has none.
     *
     * @throws CorruptDataException if there is one and the job does not accept bad rows
     */
    public void checkKeysBefore(TableWriter writer, Units units) {
        if (keysMeet(units) || job.prepare().key().isEmpty() || keyCheck(units) == KeyCheck.AFTER) {
            return;
        } else if (guarded == null) {
            refuseDuplicates(writer);
        } else {
            duplicates = writer.duplicates(writer.packed(computed(), packing(packer(new Units.Hashes(1)))));
        }
    }

    private Dataset<Row> packed(TableWriter writer, Units units, JavaSparkContext spark) {
        if (guarded == null) {
            return writer.packed(rows(), packer(units));
        }
        return writer.packed(
                computed(),
                GuardedPacker.dropping(guarded, packer(units)).keeping(spark.broadcast(duplicates)),
                badLines(packer(units)));
    }

    /**
     * Finds the bad rows of the query by one more pass over its rows, and the bad lines of its sources.
     *
     * @throws ConfigException if the query cannot be computed row by row
     */
    public BadRows badRows() {
        GuardedQuery query = guarded == null ? GuardedQuery.of(spark, rows()) : guarded;
        GuardedPacker packer = GuardedPacker.dropping(query, packer(new Units.Hashes(1)));
        BadRows bad = InternalRows.of(query.below())
                .mapPartitions(rows -> List.of(packer.badRows(rows)).iterator())
                .fold(new BadRows(), BadRows::and);
        for (OpenSource source : sources.all()) {
            if (source.badLines().isPresent()) {
                int number = provenance.source().filter(source.name()::equals).isPresent() ? 0 : -1;
                bad = bad.and(source.badLines()
                        .get()
                        .mapPartitions(lines ->
                                List.of(summedUp(lines, places, number)).iterator())
                        .fold(new BadRows(), BadRows::and));
            }
        }
        return bad;
    }

    /** The same, or none where the query cannot be computed row by row. */
    public BadRows badRowsIfComputable() {
        try {
            return badRows();
        } catch (ConfigException e) {
            return new BadRows();
        }
    }

    private static BadRows summedUp(Iterator<BadLine> lines, SourceIndex places, int driving) {
        BadRows bad = new BadRows();
        lines.forEachRemaining(line -> bad.add(
                line.reason(),
                new BadRows.Found(
                        driving < 0 ? -1 : places.source(line.file()), line.number(), line.place(), line.what())));
        return bad;
    }

    public boolean acceptsBadRows() {
        return guarded != null;
    }

    /** Looks for keys that are null or stand twice among rows that are not written. */
    public void checkKeys(TableWriter writer) {
        if (!job.prepare().key().isEmpty()) {
            refuseDuplicates(writer);
        }
    }

    /** Lines of the sources that are no rows, as packed bad rows. */
    private List<JavaRDD<InternalRow>> badLines(RowPacker packer) {
        List<JavaRDD<InternalRow>> all = new ArrayList<>();
        for (OpenSource source : sources.all()) {
            boolean driving = provenance.source().filter(source.name()::equals).isPresent();
            source.badLines().ifPresent(lines -> all.add(lines.mapPartitions(part -> packer.bad(part, driving))));
        }
        return all;
    }

    /** Provenance, as the manifest lists it. */
    public SourceIndex places() {
        return places;
    }

    /** The rows as the prepared table would hold them, and where they come from. */
    public Dataset<Row> stored(TableWriter writer) {
        return writer.packed(computed(), packing(packer(provenance.narrow() ? counts().units(1) : new Units.Hashes(1))))
                .select(Stream.of(layout.written().fieldNames())
                        .map(Columns::named)
                        .toArray(Column[]::new));
    }

    /** The columns that the prepared table holds as the query gives them, unread; all, where rows may be left out. */
    public Dataset<Row> unpacked(TableWriter writer) {
        if (guarded != null) {
            return stored(writer);
        }
        return rows().select(layout.columns().stream()
                .filter(column -> column.source().equals(column.stored()))
                .map(column -> Columns.named(column.name()))
                .toArray(Column[]::new));
    }

    private RowPacker packer(Units units) {
        return packer(layout, units);
    }

    private RowPacker packer(RowLayout columns, Units units) {
        return new RowPacker(
                columns,
                job.prepare().key(),
                units,
                provenance.source().isPresent(),
                places,
                job.prepare().nonFinite() == NonFinite.REFUSE ? Finiteness.FINITE : Finiteness.ANY);
    }

    public Units units(TableWriter writer) {
        if (!provenance.narrow()) {
            return UnitPlanner.hashes(inputBytes, job.prepare());
        }
        List<List<FileRowGroup>> groups = source().map(OpenSource::rowGroups).orElse(List.of());
        return UnitPlanner.ranges(counts(), head(writer), job.prepare(), groups);
    }

    /** The first rows, measured. */
    public SizeSample head(TableWriter writer) {
        PrepareSection.Compression compression = job.prepare().compression();
        if (scan().isPresent()) {
            return SizeSample.ofFirst(scan().get(), counts(), packer(counts().units(1)), layout, compression);
        }
        return provenance.narrow()
                ? SizeSample.ofFirst(
                        computed(), counts(), writer, packing(packer(counts().units(1))), layout, compression)
                : SizeSample.ofAny(computed(), writer, packing(packer(new Units.Hashes(1))), layout, compression);
    }

    private UnitPlanner.Counts counts() {
        if (counts == null) {
            counts = scan().filter(SourceScan::isWhole)
                    .flatMap(whole -> source())
                    .map(source -> UnitPlanner.counts(source.rowGroups()))
                    .orElseGet(() -> UnitPlanner.counts(computed(), places));
        }
        return counts;
    }

    /** @throws EnvironmentException if fewer or more rows were written than were counted before */
    public void refuseOtherCount(long written) {
        if (guarded == null && counts != null && counts.total() != written) {
            throw new EnvironmentException("counted " + counts.total() + " rows and wrote " + written
                    + "; an input changed while the job read it: run the job again when its inputs rest");
        }
    }

    /** How many rows the query gives; by a scan of no column where each row is a source's row. */
    public long count(TableWriter writer) {
        if (guarded != null) {
            return stored(writer).count();
        }
        return provenance.narrow() ? counts().total() : rows().count();
    }

    /**
     * Looks for keys that stand twice where rows lie in an order in which equal keys do not meet: by a scan of the key
     * alone.
     */
    private void refuseDuplicates(TableWriter writer) {
        List<PreparedColumn> key = layout.columns().stream()
                .filter(column -> job.prepare().key().contains(column.name()))
                .toList();
        List<Column> columns = new ArrayList<>();
        key.forEach(column -> columns.add(Columns.named(column.name())));
        if (provenance.source().isPresent()) {
            columns.add(functions.col(RowAddress.FILE));
            columns.add(functions.col(RowAddress.ROW));
        }
        RowLayout keys = new RowLayout(key);
        TableWriter narrow = writer.of(keys);
        narrow.refuseDuplicates(
                narrow.packed(rows().select(columns.toArray(Column[]::new)), packer(keys, new Units.Hashes(1))));
    }

    private void requireKey() {
        if (job.prepare().key().isEmpty()
                && (!provenance.narrow() || provenance.source().isEmpty())) {
            throw new ConfigException("prepare.key is needed: the query joins, groups, sorts or explodes, or its source"
                    + " has no row addresses; name the columns that identify a row, as in key: [id]");
        }
    }
}
