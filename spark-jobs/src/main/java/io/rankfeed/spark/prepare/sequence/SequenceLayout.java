package io.rankfeed.spark.prepare.sequence;

import io.rankfeed.job.PackSection;
import io.rankfeed.job.TensorSection;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The columns of rows that are packed, and of the sequences. A sequence has the {@code within} columns as they are, and of every
 * other scalar column a list with one value for each member.
 *
 * @param key names of the key's columns
 * @param within names
 * @param tokens the column of token ids
 * @param spans the column of spans; null where there is none
 * @param lists the columns that become lists
 * @param capacity most tokens of a sequence
 */
record SequenceLayout(
        ArrayList<String> key,
        ArrayList<String> within,
        PreparedColumn tokens,
        @Nullable PreparedColumn spans,
        ArrayList<StructField> lists,
        int capacity)
        implements Serializable {
    /** @throws ConfigException if a column that the job names does not exist, or one cannot be part of a sequence */
    static SequenceLayout of(StructType query, PackSection pack, List<String> key, Map<String, TensorSection> tensors) {
        if (key.isEmpty()) {
            throw new ConfigException("prepare.pack needs prepare.key: the columns that identify a row");
        }
        Map<String, StructField> fields = new LinkedHashMap<>();
        Stream.of(query.fields())
                .filter(field ->
                        !field.name().equals(RowAddress.FILE) && !field.name().equals(RowAddress.ROW))
                .forEach(field -> fields.put(field.name(), field));
        List<String> names = List.copyOf(fields.keySet());
        key.forEach(name -> PreparedColumn.of(find(fields, "prepare.key", name, names), tensors.get(name))
                .requireKeyType());
        for (String name : pack.within()) {
            requireScalar(find(fields, "prepare.pack.within", name, names), tensors);
            if (key.contains(name)) {
                throw new ConfigException("prepare.pack.within: '" + name
                        + "' is a column of the key, so that no two rows could share a sequence; remove it");
            }
        }
        String tokens = pack.tokens().orElseGet(() -> onlyTokens(fields, pack, tensors));
        PreparedColumn tokenColumn =
                integers(find(fields, "prepare.pack.tokens", tokens, names), tensors.get(tokens), "tokens", 1);
        PreparedColumn spans = pack.spans()
                .map(name -> spans(find(fields, "prepare.pack.spans", name, names), tensors))
                .orElse(null);
        ArrayList<StructField> lists = new ArrayList<>();
        fields.forEach((name, field) -> {
            if (!pack.within().contains(name)
                    && !name.equals(tokens)
                    && !pack.spans().filter(name::equals).isPresent()) {
                requireScalar(field, tensors);
                lists.add(field);
            }
        });
        return new SequenceLayout(
                new ArrayList<>(key), new ArrayList<>(pack.within()), tokenColumn, spans, lists, pack.to());
    }

    private static StructField find(Map<String, StructField> fields, String where, String name, List<String> names) {
        StructField field = fields.get(name);
        if (field == null) {
            throw new ConfigException(
                    where + ": no column '" + name + "' in the query's result" + Suggestion.hint(name, names));
        }
        return field;
    }

    private static String onlyTokens(
            Map<String, StructField> fields, PackSection pack, Map<String, TensorSection> tensors) {
        List<String> found = fields.values().stream()
                .filter(field -> !pack.spans().filter(field.name()::equals).isPresent())
                .filter(field -> {
                    PreparedColumn column = PreparedColumn.of(field, tensors.get(field.name()));
                    return column.dims().size() == 1 && isInteger(column.dtype());
                })
                .map(StructField::name)
                .toList();
        if (found.size() != 1) {
            throw new ConfigException("prepare.pack.tokens: "
                    + (found.isEmpty()
                            ? "the query has no column of lists of integers; tokenize in the query, as in"
                                    + " rf_tokenize('name', text) AS tokens"
                            : "the query has " + String.join(", ", found) + "; name the column of the tokens"));
        }
        return found.get(0);
    }

    /** Bounds may grow beyond what the query's type holds: they are stored as int32. */
    private static PreparedColumn spans(StructField field, Map<String, TensorSection> tensors) {
        TensorSection written = tensors.get(field.name());
        if (field.dataType() instanceof ArrayType list) {
            Shape pairs =
                    list.elementType() instanceof ArrayType ? Shape.of(Shape.VARIABLE, 2) : Shape.of(Shape.VARIABLE);
            written = new TensorSection(Optional.of(DType.INT32.id()), Optional.of(pairs));
        }
        PreparedColumn column = integers(field, written, "spans", 2);
        if (column.dtype() != DType.INT32) {
            throw new ConfigException("prepare.pack.spans: column '" + field.name() + "' has elements of "
                    + column.dtype().id() + "; it must have int32");
        }
        return column;
    }

    private static PreparedColumn integers(StructField field, @Nullable TensorSection tensor, String what, int rank) {
        PreparedColumn column = PreparedColumn.of(field, tensor);
        boolean fits = column.dims().size() <= rank
                && !column.dims().isEmpty()
                && column.dims().get(0) < 0
                && isInteger(column.dtype());
        if (!fits) {
            throw new ConfigException("prepare.pack." + what + ": column '" + field.name() + "' is "
                    + field.dataType().simpleString() + "; it must be a list of "
                    + (rank == 1 ? "integers" : "pairs of integers"));
        }
        return column;
    }

    private static boolean isInteger(DType dtype) {
        return switch (dtype) {
            case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64 -> true;
            default -> false;
        };
    }

    private static void requireScalar(StructField field, Map<String, TensorSection> tensors) {
        if (!PreparedColumn.of(field, tensors.get(field.name())).dims().isEmpty()) {
            throw new ConfigException("prepare.pack: column '" + field.name() + "' is "
                    + field.dataType().simpleString()
                    + ", which cannot be part of a sequence; remove it from the query, or name it in tokens or spans");
        }
    }

    /** Columns of the sequences. */
    StructType sequences(StructType query) {
        StructType type = new StructType();
        for (String name : key) {
            type = type.add(PackSection.first(name), query.apply(name).dataType(), false);
        }
        for (String name : within) {
            type = type.add(query.apply(name));
        }
        type = type.add(tokens.name(), DataTypes.BinaryType, false);
        if (spans != null) {
            type = type.add(spans.name(), DataTypes.BinaryType, false);
        }
        type = type.add(PackSection.MEMBER_LENGTHS, DataTypes.createArrayType(DataTypes.IntegerType, false), false)
                .add(PackSection.MEMBER_COUNT, DataTypes.IntegerType, false)
                .add(PackSection.TOKEN_COUNT, DataTypes.IntegerType, false);
        for (StructField field : lists) {
            type = type.add(field.name(), DataTypes.createArrayType(field.dataType(), field.nullable()), false);
        }
        return type;
    }
}
