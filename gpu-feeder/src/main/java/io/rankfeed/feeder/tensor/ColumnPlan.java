package io.rankfeed.feeder.tensor;

import io.rankfeed.feeder.cache.FedColumns;
import io.rankfeed.feeder.text.BoundText;
import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.feeder.transform.Normalization;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.Pipeline;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.NumberBits;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.manifest.Manifest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tensors of one slot and their offsets: the ring's tensor table. A pure function of schema, maximum lengths, rows and request, so
 * feeder and tests agree without a ring. A slot has room for a batch in which every row has the maximum length.
 */
public final class ColumnPlan {
    /** The tensor of row identities (int64), first wherever it is present. */
    public static final String ROW_ID = "row_id";

    /** The tensor of the keys of the rows' random numbers (uint64), last where it is present. */
    public static final String ROW_KEY = "_row_key";

    /** Tensors start at multiples of this, in bytes. */
    public static final int ALIGNMENT_BYTES = 64;

    /** The maximum number of tensors that a ring's table holds. */
    public static final int MAX_TENSORS = 1024;

    /** The maximum number of bytes that a tensor's name has in a ring's table. */
    public static final int MAX_NAME_BYTES = 64;

    private static final String NAME_COLUMNS =
            "name the columns that the trainer needs, in Feed(columns=[…]) or in a feed file (--config)";
    private static final int DIGEST_DIGITS = 16;
    private static final String ROW_ID_SOURCE = "_row_id";
    private static final String VALID_SUFFIX = ".valid";

    private final int rows;
    private final long seed;
    private final FedColumns fed;
    private final SlotLayout slot = new SlotLayout();
    private final List<PlannedColumn> columns = new ArrayList<>();

    private ColumnPlan(int rows, long seed, FedColumns fed) {
        this.rows = rows;
        this.seed = seed;
        this.fed = fed;
    }

    /** Computes the plan of a version without lists and statistics, for a selection without random numbers. */
    public static ColumnPlan of(
            SampleSchema schema, Map<String, Long> maxLengths, int rows, ColumnSelection selection) {
        return of(
                new FedColumns(schema, maxLengths, Map.of(), Map.of(), Map.of(), FedColumns.Kind.VERSION),
                rows,
                selection,
                0);
    }

    /** Computes the plan of a version. */
    public static ColumnPlan of(Manifest.Version version, int rows, ColumnSelection selection, long seed) {
        return of(FedColumns.of(version), rows, selection, seed);
    }

    /**
     * @param fed the columns that rows have
     * @param rows rows of this rank's full batch, at least 1
     * @param selection the columns wanted
     * @param seed of random numbers, where the selection has none
     * @throws ConfigException if a request names no field, a layout that its field cannot have or a pad value that
     *     does not fit, if the tensors or a name are more than a ring's table holds, or if a slot would pass 2^62 bytes
     */
    public static ColumnPlan of(FedColumns fed, int rows, ColumnSelection selection, long seed) {
        if (rows < 1) {
            throw new ConfigException("a batch of " + rows + " rows per rank; the plan must give each rank at least 1");
        }
        SampleSchema schema = fed.schema();
        ColumnPlan plan = new ColumnPlan(rows, selection.transformSeed().orElse(seed), fed);
        List<ColumnRequest> wanted = selection.columns().orElseGet(() -> everyColumn(schema));
        plan.checkNames(wanted);
        if (wanted.stream().anyMatch(request -> request.name().equals(ROW_ID))) {
            plan.addFixed(ROW_ID, DType.INT64, List.of(), ROW_ID_SOURCE);
        }
        for (ColumnRequest request : wanted) {
            if (request.recipe().isPresent()) {
                plan.addMade(schema, request.name(), request.recipe().get());
            } else if (fed.kind() == FedColumns.Kind.MIXTURE && request.name().equals(FedColumns.MEMBER)) {
                plan.addFixed(FedColumns.MEMBER, DType.INT32, List.of(), FedColumns.MEMBER);
            } else if (!request.name().equals(ROW_ID)) {
                plan.add(schema.field(request.name()), request);
            }
        }
        if (selection.rowKeys()) {
            plan.addKeys();
        }
        if (plan.columns.size() > MAX_TENSORS) {
            throw new ConfigException(plan.columns.size() + " tensors in a batch, at most " + MAX_TENSORS
                    + " (row_id is one, a column that may be missing two); " + NAME_COLUMNS);
        }
        plan.requireDistinct();
        return plan;
    }

    private void requireDistinct() {
        Set<String> seen = new HashSet<>();
        for (TensorSpec tensor : tensors()) {
            if (!seen.add(tensor.name())) {
                throw new ConfigException("two columns make a tensor '" + tensor.name()
                        + "'; rename one, or choose fewer in text.tensors");
            }
        }
    }

    /** The tensors in the order of the ring's table. */
    public List<TensorSpec> tensors() {
        return columns.stream().map(PlannedColumn::tensor).toList();
    }

    /** The size of the tensors of one slot in bytes, a multiple of 64 (the ring rounds it up to whole pages). */
    public long slotBytes() {
        return slot.bytes();
    }

    /** The number of rows of a full batch. */
    public int rows() {
        return rows;
    }

    /** Whether random numbers depend on the cycles of the rows. */
    public boolean needsCycles() {
        return columns.stream().anyMatch(column -> switch (column) {
            case PlannedColumn.Made made -> true;
            case PlannedColumn.Keyed keyed -> true;
            case PlannedColumn.Tokens tokens -> tokens.text().rules().mask().isPresent();
            default -> false;
        });
    }

    /**
     * The digest of the columns of images and texts: two plans with the same digest give the same values for the same
     * rows.
     *
     * @return 16 hexadecimal digits; empty where no column is made
     */
    public String transforms() {
        StringBuilder text = new StringBuilder();
        for (PlannedColumn column : columns) {
            Optional<String> canonical =
                    switch (column) {
                        case PlannedColumn.Made made ->
                            Optional.of(made.pipeline().canonical());
                        case PlannedColumn.Tokens tokens ->
                            Optional.of(tokens.text().canonical());
                        default -> Optional.empty();
                    };
            canonical.ifPresent(rules -> text.append(column.tensor().name())
                    .append('=')
                    .append(rules)
                    .append('\n'));
        }
        return text.isEmpty()
                ? ""
                : Sha256.hex(text.toString().getBytes(StandardCharsets.UTF_8)).substring(0, DIGEST_DIGITS);
    }

    /** The normalization that the client applies to pixels, by tensor. */
    public Map<String, Normalization> normalizations() {
        Map<String, Normalization> found = new LinkedHashMap<>();
        for (PlannedColumn column : columns) {
            if (column instanceof PlannedColumn.Made made) {
                made.pipeline()
                        .normalize()
                        .ifPresent(wanted -> found.put(made.tensor().name(), wanted));
            }
        }
        return found;
    }

    /** The columns of the slot, with the sources of their rows. */
    public List<PlannedColumn> columns() {
        return List.copyOf(columns);
    }

    private static List<ColumnRequest> everyColumn(SampleSchema schema) {
        List<ColumnRequest> all = new ArrayList<>();
        all.add(ColumnRequest.of(ROW_ID));
        schema.names().forEach(name -> all.add(ColumnRequest.of(name)));
        return all;
    }

    private void checkNames(List<ColumnRequest> wanted) {
        SampleSchema schema = fed.schema();
        if (wanted.isEmpty()) {
            throw new ConfigException(
                    "the list of columns is empty; name at least one, or omit the list for all columns");
        }
        Set<String> seen = new HashSet<>();
        List<String> known = new ArrayList<>(schema.names());
        known.add(ROW_ID);
        if (fed.kind() == FedColumns.Kind.MIXTURE) {
            known.add(FedColumns.MEMBER);
        }
        for (ColumnRequest request : wanted) {
            if (request.recipe().isPresent()) {
                checkNewName(request.name());
            } else if (!known.contains(request.name())) {
                throw new ConfigException(
                        "no column '" + request.name() + "'" + Suggestion.hint(request.name(), known));
            }
            if (!seen.add(request.name())) {
                throw new ConfigException("column '" + request.name() + "' is requested twice");
            }
        }
        if (schema.find(ROW_ID).isPresent() && seen.contains(ROW_ID)) {
            throw new ConfigException(
                    "field '" + ROW_ID + "' has the name of the row's identity; rename it in the job");
        }
    }

    private static void checkNewName(String name) {
        if (!Field.isName(name) || name.equals(ROW_ID)) {
            throw new ConfigException("column name '" + name + "' " + Field.NAME_RULE + " and not be " + ROW_ID);
        }
    }

    private void addMade(SampleSchema schema, String name, Recipe recipe) {
        switch (recipe) {
            case Recipe.Images images -> addImages(schema, name, images);
            case Recipe.Text text ->
                columns.addAll(TextColumns.allocate(
                        name,
                        BoundText.of(
                                name,
                                text.source(),
                                text.rules(),
                                schema,
                                fed.maxLengths(),
                                fed.maxItems(),
                                text.seed().orElse(seed)),
                        slot,
                        rows));
        }
    }

    private void addImages(SampleSchema schema, String name, Recipe.Images recipe) {
        Pipeline pipeline = recipe.pipeline();
        Field field = schema.find(pipeline.source())
                .orElseThrow(() -> new ConfigException("column '" + name + "': no column '" + pipeline.source()
                        + "' to make it from" + Suggestion.hint(pipeline.source(), schema.names())));
        if (fed.kind() == FedColumns.Kind.MIXTURE
                && pipeline.normalize().flatMap(Normalization::from).isPresent()) {
            throw new ConfigException("column '" + name
                    + "': from: version of normalize: a mixture has no statistics of" + " columns; write mean and std");
        }
        BoundPipeline bound = pipeline.bound(
                name, field, seed, Optional.ofNullable(fed.statistics().get(field.name())));
        List<Integer> dims =
                pipeline.layout().dims(bound.shape().height(), bound.shape().width());
        boolean isStacked = field.kind() == Field.Kind.LIST;
        if (recipe.maxImages().isPresent() && !isStacked) {
            throw new ConfigException(
                    "column '" + name + "': max-images is for lists of images; '" + field.name() + "' has one per row");
        }
        TensorSpec tensor = isStacked
                ? stacked(name, recipe, field, dims)
                : slot.allocate(name, DType.UINT8, Layout.FIXED, dims, 0, rows);
        Optional<TensorSpec> valid = Optional.empty();
        if (pipeline.broken() == OnBroken.ZEROS) {
            valid = Optional.of(
                    isStacked
                            ? slot.allocateMarks(validName(name), tensor, rows)
                            : slot.allocate(validName(name), DType.UINT8, Layout.FIXED, List.of(), 0, rows));
        }
        int maxBytes = (int) Math.min(fed.maxLengths().getOrDefault(field.name(), 0L), Integer.MAX_VALUE);
        columns.add(new PlannedColumn.Made(tensor, bound, field, maxBytes, valid));
        valid.ifPresent(spec -> columns.add(new PlannedColumn.Marked(spec)));
    }

    private TensorSpec stacked(String name, Recipe.Images recipe, Field field, List<Integer> dims) {
        long items = fed.maxItems().getOrDefault(field.name(), 0L);
        long maxItems = Math.min(rows * items, recipe.maxImages().orElse(Integer.MAX_VALUE));
        return slot.allocateStacked(name, dims, items, maxItems, rows);
    }

    private static String validName(String name) {
        String valid = name + VALID_SUFFIX;
        if (valid.length() > MAX_NAME_BYTES) {
            throw new ConfigException("tensor '" + valid + "' has a name of " + valid.length() + " bytes, at most "
                    + MAX_NAME_BYTES + "; rename the column in the job's select (at most "
                    + (MAX_NAME_BYTES - VALID_SUFFIX.length()) + " where values may be missing), or " + NAME_COLUMNS);
        }
        return valid;
    }

    private void add(Field field, ColumnRequest request) {
        Layout layout = layout(field, request);
        if (layout == Layout.LIST) {
            long maxBytes = fed.maxLengths().getOrDefault(field.name(), 0L);
            TensorSpec tensor = slot.allocateList(
                    field.name(), field.dtype(), fed.maxItems().getOrDefault(field.name(), 0L), maxBytes, rows);
            columns.add(new PlannedColumn.Listed(tensor, field.name(), maxBytes));
        } else if (layout == Layout.FIXED) {
            addFixed(field.name(), field.dtype(), field.shape().dims(), field.name());
        } else {
            addVariable(field, layout, request, fed.maxLengths().getOrDefault(field.name(), 0L));
        }
        if (field.nullable()) {
            String valid = validName(field.name());
            addFixed(valid, DType.UINT8, List.of(), valid);
        }
    }

    private void addFixed(String name, DType dtype, List<Integer> dims, String source) {
        columns.add(new PlannedColumn.Copied(slot.allocate(name, dtype, Layout.FIXED, dims, 0, rows), source, 0));
    }

    private void addVariable(Field field, Layout layout, ColumnRequest request, long maxElements) {
        if (maxElements < 0 || maxElements > Integer.MAX_VALUE) {
            throw new ConfigException("column '" + field.name() + "': a longest value of " + maxElements
                    + " elements cannot be fed; cut it in the job");
        }
        List<Integer> inner = field.dtype().isBytes()
                ? List.of()
                : field.shape().dims().subList(1, field.shape().rank());
        // The manifest counts elements; a tensor's lengths count steps along the variable dimension.
        int perStep = field.shape().elements();
        int maxLength = (int) ((maxElements + perStep - 1) / perStep);
        long padBits = layout == Layout.PADDED
                ? NumberBits.of("column '" + field.name() + "': padValue", field.dtype(), request.padValue())
                : 0;
        TensorSpec tensor = slot.allocate(field.name(), field.dtype(), layout, inner, maxLength, rows);
        columns.add(new PlannedColumn.Copied(tensor, field.name(), padBits));
    }

    private void addKeys() {
        columns.add(
                new PlannedColumn.Keyed(slot.allocate(ROW_KEY, DType.UINT64, Layout.FIXED, List.of(), 0, rows), seed));
    }

    private static Layout layout(Field field, ColumnRequest request) {
        Layout usual =
                switch (field.kind()) {
                    case FIXED -> Layout.FIXED;
                    case RAGGED -> Layout.PADDED;
                    case BYTES -> Layout.RAGGED;
                    case LIST -> Layout.LIST;
                };
        Layout layout = request.layout().orElse(usual);
        boolean fits = layout == usual || (field.kind() == Field.Kind.RAGGED && layout == Layout.RAGGED);
        if (!fits) {
            throw new ConfigException(
                    "column '" + field.name() + "' (" + field.dtype().id() + " " + field.shape()
                            + ") cannot be laid out " + layout.id() + "; ask for " + usual.id()
                            + (field.kind() == Field.Kind.RAGGED ? " or ragged" : ""));
        }
        return layout;
    }
}
