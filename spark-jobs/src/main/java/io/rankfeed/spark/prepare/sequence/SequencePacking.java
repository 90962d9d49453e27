package io.rankfeed.spark.prepare.sequence;

import io.rankfeed.job.PrepareSection;
import io.rankfeed.job.TensorSection;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.prepare.pack.KeyText;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import io.rankfeed.spark.prepare.pack.Units;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.jspecify.annotations.Nullable;

/**
 * Packs the rows of a query into sequences, window by window, so that memory is bounded and the result depends on the rows alone.
 * A window is a run of rows of a unit of the prepared table, in the order of their row ids: so its sequences have the order of the
 * table. With {@code within} columns, rows with equal ones are divided into windows by the hash of their key.
 */
public final class SequencePacking {
    /** Rows of a window, and on average of one of a group, where it has as many. */
    private static final int WINDOW_ROWS = 8192;

    private static final String GROUP = "__rf_group";
    private static final String HASH = "__rf_hash";
    private static final String WINDOWS = "__rf_windows";
    private static final String COUNTED = "__rf_counted_";

    private final Dataset<Row> query;
    private final SequenceLayout layout;

    private SequencePacking(Dataset<Row> query, SequenceLayout layout) {
        this.query = query;
        this.layout = layout;
    }

    /**
     * The packing of a query's rows.
     *
     * @throws io.rankfeed.schema.failure.ConfigException if a column that the job names does not exist, or one cannot be part of
     *     a sequence
     */
    public static SequencePacking of(Dataset<Row> query, PrepareSection section) {
        return new SequencePacking(
                query,
                SequenceLayout.of(query.schema(), section.pack().orElseThrow(), section.key(), section.tensors()));
    }

    /** Whether the sequences of a unit are in one partition, in the order of the prepared table. */
    public boolean isByUnit() {
        return layout.within().isEmpty();
    }

    /**
     * The sequences.
     *
     * @param units of the prepared table
     * @throws CorruptDataException if a key is a duplicate; when rows are packed, if one is null or a row has no tokens or more
     *     than a sequence may have
     */
    public Dataset<Row> rows(SparkSession spark, Units.Hashes units) {
        if (!isByUnit()) {
            // Elsewhere equal keys meet in one unit.
            refuseDuplicates();
        }
        Dataset<Row> windowed = isByUnit() ? byUnit(units) : byGroup();
        SequencePacker packer = new SequencePacker(
                layout,
                new ArrayList<>(List.of(windowed.schema().fields())),
                isByUnit() ? WINDOW_ROWS : Integer.MAX_VALUE);
        return InternalRows.query(
                spark, InternalRows.of(windowed).mapPartitions(packer), layout.sequences(query.schema()));
    }

    /** The dtypes of the sequences' tensors. */
    public Map<String, TensorSection> tensors() {
        Map<String, TensorSection> tensors = new LinkedHashMap<>();
        tensors.put(layout.tokens().name(), tensor(layout.tokens(), Shape.of(Shape.VARIABLE)));
        if (layout.spans() != null) {
            tensors.put(layout.spans().name(), tensor(layout.spans(), Shape.of(Shape.VARIABLE, 2)));
        }
        return tensors;
    }

    private static TensorSection tensor(PreparedColumn column, Shape shape) {
        return new TensorSection(Optional.of(column.dtype().id()), Optional.of(shape));
    }

    private void refuseDuplicates() {
        List<Row> found = query.groupBy(key())
                .agg(functions.count(functions.lit(1)).as(WINDOWS))
                .where(functions.col(WINDOWS).gt(1))
                .orderBy(key())
                .limit(1)
                .collectAsList();
        if (!found.isEmpty()) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < layout.key().size(); i++) {
                values.add(shown(found.get(0).get(i)));
            }
            throw duplicate(values);
        }
    }

    /** A part of a key as text; equal ones have equal texts. */
    static String shown(@Nullable Object part) {
        return part instanceof byte[] bytes ? "0x" + HexFormat.of().formatHex(bytes) : String.valueOf(part);
    }

    static CorruptDataException duplicate(List<String> key) {
        return new CorruptDataException("a row of the query", KeyText.duplicate("(" + String.join(", ", key) + ")"));
    }

    /** A unit's rows are a group, in the order of their row ids as unsigned numbers. */
    private Dataset<Row> byUnit(Units.Hashes units) {
        Column id = functions.call_function("rf_hash", key());
        Column unit = unit(id, units);
        return query.select(selected(unit.cast("string"), id.bitwiseXOR(functions.lit(Long.MIN_VALUE))))
                .repartitionById(units.count(), functions.col(GROUP).cast("int"))
                .sortWithinPartitions(order(functions.col(HASH)));
    }

    /** {@link Units.Hashes#unit}: the high half of a product, whose factor of at most 13 bits leaves room in 64 bits. */
    private static Column unit(Column id, Units.Hashes units) {
        Column count = functions.lit((long) units.count());
        Column low = functions.shiftrightunsigned(
                id.bitwiseAND(functions.lit(0xffff_ffffL)).multiply(count), 32);
        Column high = functions.shiftrightunsigned(id, 32).multiply(count);
        return functions.shiftrightunsigned(high.plus(low), 32).cast("int");
    }

    private Dataset<Row> byGroup() {
        Column hash = functions.xxhash64(key());
        List<Column> within = new ArrayList<>();
        layout.within().forEach(name -> within.add(Columns.named(name)));
        within.add(functions.pmod(hash, functions.col(WINDOWS)).as(WINDOWS));
        Column group = functions.to_json(functions.struct(within.toArray(Column[]::new)));
        return counted()
                .select(selected(group, hash))
                .repartition(functions.col(GROUP))
                .sortWithinPartitions(
                        // Numbers are sorted faster than texts with one beginning.
                        order(functions.xxhash64(functions.col(GROUP)), functions.col(GROUP), functions.col(HASH)));
    }

    private Column[] key() {
        return layout.key().stream().map(Columns::named).toArray(Column[]::new);
    }

    private Column[] order(Column... first) {
        return Stream.concat(Stream.of(first), Stream.of(key())).toArray(Column[]::new);
    }

    /** Group, hash, tokens, spans, within and lists. */
    private Column[] selected(Column group, Column hash) {
        List<Column> selected = new ArrayList<>();
        selected.add(group.as(GROUP));
        selected.add(hash.as(HASH));
        selected.add(packed(layout.tokens()));
        if (layout.spans() != null) {
            selected.add(packed(layout.spans()));
        }
        layout.within().forEach(name -> selected.add(Columns.named(name)));
        layout.lists().forEach(field -> selected.add(Columns.named(field.name())));
        return selected.toArray(Column[]::new);
    }

    /** The rows with the number of windows of their group. */
    private Dataset<Row> counted() {
        Column windows = functions.greatest(
                functions.lit(1L),
                functions.floor(functions.count(functions.lit(1)).divide(WINDOW_ROWS)));
        Column[] names = layout.within().stream()
                .map(name -> Columns.named(name).as(COUNTED + name))
                .toArray(Column[]::new);
        Dataset<Row> counts = query.groupBy(names).agg(windows.as(WINDOWS));
        Column equal = layout.within().stream()
                .map(name -> Columns.named(name).eqNullSafe(Columns.named(COUNTED + name)))
                .reduce(Column::and)
                .orElseThrow();
        return query.join(functions.broadcast(counts), equal);
    }

    /** A list of integers as bytes, which a shuffle moves faster. */
    private static Column packed(PreparedColumn column) {
        Column named = Columns.named(column.name());
        if (!(column.source() instanceof ArrayType)) {
            return named;
        }
        List<Column> arguments =
                new ArrayList<>(List.of(named, functions.lit(column.dtype().id())));
        if (column.dims().size() == 2) {
            arguments.add(functions.lit(null));
            arguments.add(functions.lit(column.dims().get(1)));
        }
        return functions
                .call_function("rf_pack", arguments.toArray(Column[]::new))
                .as(column.name());
    }
}
