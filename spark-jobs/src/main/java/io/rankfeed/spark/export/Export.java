package io.rankfeed.spark.export;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.shiftright;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.card.DatasetCard;
import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.job.ExportSection;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.SchemaJson;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.ColumnStatistics;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.manifest.Origin;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.engine.parquet.RowChecksum;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Phase;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.PlanFolder;
import io.rankfeed.spark.sample.table.InPlaceFrame;
import io.rankfeed.spark.sample.table.PreparedFrame;
import io.rankfeed.spark.sample.table.PreparedFrame.DataFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The phase that makes a version: the caches of every feed of a plan. */
public final class Export extends Phase<Version> {
    /** The maximum number of tasks; more help no cluster. A task writes the units that are equal modulo the number of tasks. */
    static final int MAX_TASKS = 4096;

    private static final String DESTINATION = "__rf_destination";

    private static final List<String> ROUTED = List.of(DESTINATION, PlannedRows.PLANNED_ID);

    private static final List<String> PROVENANCE = List.of(
            PreparedFrame.FILE,
            PreparedFrame.ROW,
            PreparedFrame.ROW_ID,
            PreparedFrame.SOURCE,
            PreparedFrame.SOURCE_ROW);

    private final PreparedTable prepared;
    private final Plan plan;
    private final Selection selection;
    private final ExportSection section;
    private final SampleSchema schema;
    private final @Nullable Reading reading;

    /** The way in which the prepared rows are read; the bytes of the version are the same. */
    enum Reading {
        /** All prepared rows are read by Spark's own scan, which decodes faster. */
        SCAN,
        /** Only the planned rows are read, by {@link ChosenRows}. */
        CHOSEN
    }

    /**
     * @param selection the rows that the version stores
     * @param reading null: the faster one
     */
    private Export(
            JobContext context,
            PreparedTable prepared,
            Plan plan,
            Selection selection,
            SampleSchema schema,
            @Nullable Reading reading) {
        super(
                context,
                ArtifactFormat.VERSION,
                meaning(schema, context.job().export()),
                List.of(
                        new Input.ArtifactInput(ArtifactFormat.PREPARED, prepared.id(), prepared.manifestSha256()),
                        new Input.SelectionInput(Sha256.hex(SelectionJson.toBytes(selection)))));
        this.prepared = prepared;
        this.plan = plan;
        this.selection = selection;
        this.section = context.job().export();
        this.schema = schema;
        this.reading = reading;
    }

    /**
     * Makes the version, or finds it made, and writes the plan next to it as an order over the version.
     *
     * @throws ConfigException if a column is unknown, or a record batch would pass 2 GiB
     * @throws CorruptDataException if the prepared table or the plan is damaged, or they do not belong together
     * @throws EnvironmentException if the file system fails
     */
    public static Version run(JobContext context, PreparedTable prepared, Plan plan) {
        return run(context, prepared, plan, null);
    }

    static Version run(JobContext context, PreparedTable prepared, Plan plan, @Nullable Reading reading) {
        context.progress().phase("export");
        return run(context, () -> {
            SampleSchema schema =
                    columns(prepared.manifest().schema(), context.job().export());
            Selection selection = selection(plan, context.job().export());
            Version version = new Export(context, prepared, plan, selection, schema, reading).artifact();
            DefaultOrderFile.write(context, version.order());
            return version;
        });
    }

    private static Selection selection(Plan plan, ExportSection section) {
        Selection selected = plan.selection()
                .orElseThrow(() -> new ConfigException("plan " + plan.path() + " has no " + Selection.FILE_NAME
                        + ", as it was made by an older release; export to a new root"));
        return new Selection(
                selected.dataset(),
                Optional.of(new Order.Storage(section.batchRows(), section.shardRows())),
                selected.feeds());
    }

    /**
     * Checks what {@link #run} can refuse without reading a row.
     *
     * @param prepared columns of the prepared table
     * @return the columns of the caches
     * @throws ConfigException if a column is unknown or named twice, or a record batch would pass 2 GiB
     */
    public static SampleSchema columns(SampleSchema prepared, ExportSection section) {
        SampleSchema schema = schema(prepared, section.columns());
        for (CacheColumn column : CacheColumn.of(schema)) {
            long batchBytes = (long) column.strideBytes() * section.batchRows();
            if (!column.hasOffsets() && batchBytes > Integer.MAX_VALUE) {
                throw new ConfigException("export.batch-rows: " + section.batchRows() + " rows of column '"
                        + column.name() + "' are " + ByteSize.rounded(batchBytes)
                        + ", over 2 GiB in one record batch; take at most "
                        + Integer.MAX_VALUE / column.strideBytes());
            }
        }
        return schema;
    }

    /**
     * Refuses a planned feed that needs too many files.
     *
     * @throws ConfigException if a lane would have more files than their names can number
     */
    public static void refuseTooManyFiles(Feed feed, ExportSection section) {
        CacheUnits.refuseTooMany(feed, section);
    }

    @Override
    protected Version write() {
        plan.order().feeds().forEach(feed -> refuseTooManyFiles(feed, section));
        CacheUnits units = new CacheUnits(plan.order(), section.shardRows());
        context.step("export: map planned rows to files");
        PreparedFrame frame = PreparedFrame.open(context, prepared);
        List<LaneTask.Written> written = frame.blaming(() -> write(units, frame));
        List<WrittenFile> files = new ArrayList<>();
        written.forEach(unit -> files.add(unit.file()));
        long rows = files.stream().mapToLong(WrittenFile::rows).sum();
        FaultPoints.reached("export.after-units");
        frame.refuseChanges();
        WrittenFile selected = PlanFolder.writeSelection(folder, selection);
        files.add(selected);
        List<ArtifactFile> listed =
                new ArrayList<>(written.stream().map(LaneTask.Written::listed).toList());
        listed.add(selected.listed());
        Manifest.Version bare = new Manifest.Version(
                contents(rows, listed),
                schema,
                prepared.manifest().sources(),
                max(written, LaneTask.Written::maxLengths, kind -> kind != Field.Kind.FIXED),
                max(written, LaneTask.Written::maxItems, kind -> kind == Field.Kind.LIST),
                statistics(),
                Origin.of(context.job().prepare().rowKey(), prepared.manifest().inputs()));
        return commit(
                files, bare, DatasetCard.ofVersion(bare, selection.stored().orElseThrow()));
    }

    private Map<String, Long> max(
            List<LaneTask.Written> written,
            Function<LaneTask.Written, List<Long>> numbers,
            Predicate<Field.Kind> which) {
        Map<String, Long> max = new TreeMap<>();
        for (int i = 0; i < schema.fields().size(); i++) {
            Field field = schema.fields().get(i);
            int at = i;
            if (which.test(field.kind())) {
                max.put(
                        field.name(),
                        written.stream()
                                .mapToLong(unit -> numbers.apply(unit).get(at))
                                .max()
                                .orElse(0));
            }
        }
        return max;
    }

    /** The statistics of the prepared table, for the columns that are exported. */
    private Map<String, ColumnStatistics> statistics() {
        Map<String, ColumnStatistics> statistics =
                new HashMap<>(prepared.manifest().statistics());
        statistics.keySet().retainAll(schema.names());
        return statistics;
    }

    private List<LaneTask.Written> write(CacheUnits units, PreparedFrame frame) {
        Manifest planManifest = PlanFolder.manifest(context, plan.path());
        TablePages pages =
                TablePages.of(frame.dataFiles(), context.spark().sparkContext().defaultParallelism());
        RowDestinations destinations = RowDestinations.write(
                PlannedRows.of(context, plan, planManifest, units), planManifest.rows(), pages.rowsByFile(), folder);
        Reading faster = pages.fasterFor(destinations.stretches());
        Dataset<Row> rows = routed(frame, reading == null ? faster : reading, destinations, units);
        int tasks = Math.min(MAX_TASKS, units.count());
        ArrayList<DataType> types = new ArrayList<>();
        schema.names().forEach(name -> types.add(rows.schema().apply(name).dataType()));
        LaneTask task = new LaneTask(
                units,
                folder,
                CanonicalJson.compactText(SchemaJson.toJson(schema)),
                types,
                section.batchRows(),
                files(frame));
        context.step("export: shuffle rows by lane, write caches");
        Column unit = shiftright(col(DESTINATION), Integer.SIZE).cast("int");
        List<LaneTask.Written> written = InternalRows.of(
                        rows.repartitionById(tasks, pmod(unit, lit(tasks))).sortWithinPartitions(DESTINATION))
                .mapPartitions(task::units)
                .collect();
        refuseMissing(units, written);
        return written;
    }

    private Dataset<Row> routed(PreparedFrame frame, Reading reading, RowDestinations destinations, CacheUnits units) {
        Optional<RowChecksum> checksums = frame.checksums();
        List<String> names = columns(checksums);
        RowCheck check = checksums
                .map(each -> new RowCheck(each.over(names), files(frame)))
                .orElse(null);
        RoutedRows route = new RoutedRows(destinations, units, check);
        if (frame instanceof InPlaceFrame inPlace) {
            List<String> stored = new ArrayList<>(List.of(PreparedFrame.FILE, PreparedFrame.ROW));
            stored.addAll(inPlace.storedFor(schema.names()));
            Dataset<Row> rows = inPlace.storedRows().select(named(stored));
            // Only planned rows are packed, however they are read: another row with a wrong value is not refused.
            Dataset<Row> routed = routed(frame, reading, route, rows, stored.size());
            List<Column> columns = new ArrayList<>(List.of(named(ROUTED)));
            columns.addAll(List.of(named(names)));
            return inPlace.rows(routed, ROUTED).select(columns.toArray(Column[]::new));
        }
        int taken = PROVENANCE.size() + schema.names().size();
        return routed(frame, reading, route, frame.rows().select(named(names)), taken);
    }

    /**
     * @param rows begin with their addresses
     * @param taken the number of their columns that are kept, the first ones
     */
    private Dataset<Row> routed(PreparedFrame frame, Reading reading, RoutedRows route, Dataset<Row> rows, int taken) {
        List<String> names = List.of(rows.columns());
        JavaRDD<InternalRow> read = reading == Reading.CHOSEN && frame.isWhole()
                ? ChosenRows.of(context, frame, route.destinations(), names.subList(2, names.size()))
                : InternalRows.of(rows);
        StructType columns = new StructType()
                .add(DESTINATION, DataTypes.LongType, false)
                .add(PlannedRows.PLANNED_ID, DataTypes.LongType, false);
        for (String name : names.subList(0, taken)) {
            columns = columns.add(rows.schema().apply(name));
        }
        return InternalRows.query(context.spark(), read.mapPartitions(route), columns);
    }

    /** The columns that {@link RoutedRows} and {@link LaneTask} expect, in their order, then those for checksums alone. */
    private List<String> columns(Optional<RowChecksum> checksums) {
        List<String> names = new ArrayList<>(PROVENANCE);
        names.addAll(schema.names());
        checksums.ifPresent(each -> {
            each.columnsWith(schema.names()).stream()
                    .filter(name -> !names.contains(name))
                    .forEach(names::add);
            names.add(RowChecksum.COLUMN);
        });
        return names;
    }

    private static Column[] named(List<String> names) {
        return names.stream().map(Columns::named).toArray(Column[]::new);
    }

    private static List<String> files(PreparedFrame frame) {
        return frame.dataFiles().stream().map(DataFile::path).toList();
    }

    private void refuseMissing(CacheUnits units, List<LaneTask.Written> written) {
        boolean[] there = new boolean[units.count()];
        written.forEach(unit -> there[unit.unit()] = true);
        for (int unit = 0; unit < there.length; unit++) {
            if (!there[unit]) {
                throw new CorruptDataException(
                        units.unit(unit).path(), "none of its rows is in the prepared table; run sample again");
            }
        }
    }

    private static SampleSchema schema(SampleSchema all, List<String> columns) {
        if (columns.isEmpty()) {
            return all;
        }
        try {
            return new SampleSchema(columns.stream().map(all::field).toList());
        } catch (ConfigException e) {
            throw new ConfigException("export.columns: " + e.getMessage(), e);
        }
    }

    /** Returns the options that decide the bytes; "all columns" is the same as naming them all. */
    private static ObjectNode meaning(SampleSchema schema, ExportSection section) {
        ObjectNode meaning = JsonNodeFactory.instance.objectNode();
        ObjectNode export = meaning.putObject("export");
        ArrayNode columns = export.putArray("columns");
        schema.names().forEach(columns::add);
        export.put("batch-rows", section.batchRows()).put("shard-rows", section.shardRows());
        return meaning;
    }

    @Override
    protected Version open(byte[] bytes) {
        Manifest manifest = ManifestJson.parse(bytes, new Path(folder.path(), Manifest.FILE_NAME).toString());
        return new Version(
                manifest.id(),
                folder.path(),
                manifest.rows(),
                manifest.totalBytes(),
                plan.order().over(manifest.id()));
    }
}
