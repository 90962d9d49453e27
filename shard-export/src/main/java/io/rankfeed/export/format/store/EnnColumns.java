package io.rankfeed.export.format.store;

import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.MetadataColumns;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The columns of a sample as ENN's inputs.
 *
 * @param features indices of the fields whose elements, one after the other, are a row of features
 * @param label index of the field that is the label, or -1
 * @param rowIds index of the field with the ids of rows, or -1 for the row's own
 */
record EnnColumns(SampleSchema schema, List<Integer> features, int label, int rowIds) {
    static final String NAME = "enn";
    static final String FEATURES = "features";
    static final String LABEL = "label";
    static final String ROW_IDS = "row-ids";

    private static final Set<String> FEATURE_NAMES = Set.of("x", "feature", "features", "input", "inputs", "in");
    private static final Set<String> LABEL_NAMES = Set.of("y", "label", "labels", "output", "outputs", "out");
    private static final String ROW_ID_NAME = "row_ids";

    /** @throws ConfigException if columns are missing or cannot be stored */
    static EnnColumns of(FileSet set) {
        SampleSchema schema = set.schema();
        List<Integer> features = new ArrayList<>();
        String named = set.options().text(FEATURES, "");
        if (named.isEmpty()) {
            features.add(byName(schema, FEATURE_NAMES, FEATURES));
        } else {
            Arrays.stream(named.split(",")).forEach(name -> features.add(index(schema, FEATURES, name.strip())));
        }
        String label = set.options().text(LABEL, "");
        String rowIds = set.options().text(ROW_IDS, schema.find(ROW_ID_NAME).isPresent() ? ROW_ID_NAME : "");
        EnnColumns columns = new EnnColumns(
                schema,
                features,
                label.isEmpty() ? byName(schema, LABEL_NAMES, LABEL) : index(schema, LABEL, label),
                rowIds.isEmpty() ? -1 : index(schema, ROW_IDS, rowIds));
        columns.check();
        return columns;
    }

    private static int index(SampleSchema schema, String option, String name) {
        return schema.fields().indexOf(Format.column(NAME, option, schema, name));
    }

    /** The field with one of these names, or -1 if a label has none. */
    private static int byName(SampleSchema schema, Set<String> names, String option) {
        List<Integer> found = IntStream.range(0, schema.fields().size())
                .filter(i -> names.contains(schema.fields().get(i).name().toLowerCase(Locale.ROOT)))
                .boxed()
                .toList();
        if (found.size() == 1) {
            return found.get(0);
        } else if (found.isEmpty() && option.equals(LABEL)) {
            return -1;
        }
        throw new ConfigException("format enn: " + (found.isEmpty() ? "no column" : "more than one column")
                + " has a name that ENN knows as " + option + "; set the option " + option);
    }

    private void check() {
        for (int i = 0; i < schema.fields().size(); i++) {
            Field field = schema.fields().get(i);
            if (features.contains(i) || i == label) {
                if (field.dtype().isBytes() || field.shape().isVariable() || field.nullable()) {
                    throw Format.unsupported(
                            NAME, field, "features and labels are numbers, of the same shape in each row, never null");
                }
            } else if (i != rowIds) {
                MetadataColumns.require(NAME, field, "it is neither features nor label");
            }
        }
        if (rowIds >= 0) {
            Field field = schema.fields().get(rowIds);
            if (field.nullable() || !Format.isNumber(field) || !isInteger(field) || field.dtype() == DType.UINT64) {
                throw Format.unsupported(NAME, field, "the id of a row is an integer, never null");
            }
        }
        if (features.stream().distinct().count() != features.size() || features.contains(label)) {
            throw new ConfigException("format enn: a column is named twice in the options features and label");
        }
    }

    /** The fields in the metadata: those that are in no file of ENN. */
    List<Integer> metadata() {
        return IntStream.range(0, schema.fields().size())
                .filter(i -> !features.contains(i) && i != label && i != rowIds)
                .boxed()
                .toList();
    }

    static boolean isInteger(Field field) {
        return switch (field.dtype()) {
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64, STRING, BINARY -> false;
            default -> true;
        };
    }

    /** Elements of a row of features. */
    long featureDim() {
        return features.stream()
                .mapToLong(field -> schema.fields().get(field).shape().elements())
                .sum();
    }

    Shape labelShape() {
        return schema.fields().get(label).shape();
    }
}
