package io.rankfeed.spark.source.jsonl;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.source.jsonl.JsonlLines.Line;
import io.rankfeed.spark.tensor.ScalarKind;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Lines of JSON as rows, each with its address. A line that is not an object, or does not fit, is damage. */
public final class JsonlParser implements FlatMapFunction<Iterator<LineRange>, Row> {
    private static final long serialVersionUID = 1L;

    private final StructType schema;
    private final TaskConfiguration hadoop;
    private final OnBadRow onBadRow;

    /** The names of each struct of the schema, and of the schema itself, as {@link ColumnCase#names} returns them. */
    private final IdentityHashMap<StructType, Map<String, String>> names = new IdentityHashMap<>();

    public JsonlParser(StructType schema, TaskConfiguration hadoop, OnBadRow onBadRow) {
        this.schema = schema;
        this.hadoop = hadoop;
        this.onBadRow = onBadRow;
    }

    /**
     * The lines of a range that are no rows, which {@link #call} leaves out.
     *
     * @param displayName of the file in messages
     */
    Iterator<BadLine> badLines(LineRange range, String displayName) {
        JsonlLines lines = new JsonlLines(range, hadoop.value());
        String address = RowAddress.of(new Path(range.file()));
        List<BadLine> bad = new ArrayList<>();
        while (lines.hasNext()) {
            Line line = lines.next();
            Reason reason = Reason.MALFORMED_LINE;
            try {
                JsonNode object = JsonLine.object(line);
                reason = Reason.SCHEMA_DRIFT;
                row(line, object, address);
            } catch (CorruptDataException e) {
                String at = displayName + ":" + (line.number() + 1);
                bad.add(new BadLine(reason, address, line.number(), line.what(e), at, line.held()));
            }
        }
        return bad.iterator();
    }

    @Override
    public Iterator<Row> call(Iterator<LineRange> ranges) {
        return new ComputedIterator<>() {
            private Iterator<Line> lines = Collections.emptyIterator();
            private String address = "";

            @Override
            protected @Nullable Row compute() {
                Row row = null;
                while (row == null && (lines.hasNext() || ranges.hasNext())) {
                    if (lines.hasNext()) {
                        row = taken(lines.next(), address);
                    } else {
                        LineRange range = ranges.next();
                        lines = new JsonlLines(range, hadoop.value());
                        address = RowAddress.of(new Path(range.file()));
                    }
                }
                return row;
            }
        };
    }

    private @Nullable Row taken(Line line, String address) {
        try {
            return row(line, JsonLine.object(line), address);
        } catch (CorruptDataException e) {
            if (onBadRow == OnBadRow.FAIL) {
                throw e;
            }
            return null;
        }
    }

    /** @param more values between the line's own and its address */
    public Row row(Line line, JsonNode object, String address, @Nullable Object... more) {
        StructField[] fields = schema.fields();
        @Nullable Object[] values = new @Nullable Object[fields.length + more.length + 2];
        for (int i = 0; i < fields.length; i++) {
            values[i] = value(object, fields[i], fields[i].name(), line);
        }
        refuseOtherCase(object, schema, "", line);
        System.arraycopy(more, 0, values, fields.length, more.length);
        values[values.length - 2] = address;
        values[values.length - 1] = line.number();
        return RowFactory.create(values);
    }

    /** A key without a column is ignored, unless it differs from a column only in case. */
    private void refuseOtherCase(JsonNode object, StructType struct, String path, Line line) {
        int known = 0;
        for (StructField field : struct.fields()) {
            known += object.has(field.name()) ? 1 : 0;
        }
        if (known == object.size()) {
            return;
        }
        Map<String, String> names = this.names.computeIfAbsent(struct, ColumnCase::names);
        object.fieldNames().forEachRemaining(key -> {
            String declared = names.get(ColumnCase.folded(key));
            if (declared != null && !key.equals(declared)) {
                throw line.damage("has the key '" + path + key + "', and the source's schema has '" + path + declared
                        + "'; " + ColumnCase.REMEDY);
            }
        });
    }

    private @Nullable Object value(JsonNode object, StructField field, String name, Line line) {
        Object value = value(object.get(field.name()), field.dataType(), name, line);
        if (value == null && !field.nullable()) {
            throw line.damage("'" + name + "' has no value, and the source's schema says NOT NULL");
        }
        return value;
    }

    private @Nullable Object value(@Nullable JsonNode node, DataType type, String name, Line line) {
        if (node == null || node.isNull()) {
            return null;
        }
        if (type instanceof ArrayType list) {
            if (!node.isArray()) {
                throw unfit(node, type, name, line);
            }
            @Nullable Object[] values = new @Nullable Object[node.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = value(node.get(i), list.elementType(), name, line);
            }
            return values;
        } else if (type instanceof StructType struct) {
            if (!node.isObject()) {
                throw unfit(node, type, name, line);
            }
            @Nullable Object[] values = new @Nullable Object[struct.fields().length];
            for (int i = 0; i < values.length; i++) {
                StructField field = struct.fields()[i];
                values[i] = value(node, field, name + "." + field.name(), line);
            }
            refuseOtherCase(node, struct, name + ".", line);
            return RowFactory.create(values);
        }
        Object value = ScalarKind.of(type).map(kind -> scalar(node, kind)).orElse(null);
        if (value instanceof Number number && isRounded(node, number)) {
            throw line.damage("'" + name + "' is " + node.asText() + ", which " + type.simpleString()
                    + " does not hold exactly; declare the column as STRING or BIGINT in the source's schema:");
        }
        if (value == null) {
            throw unfit(node, type, name, line);
        }
        return value;
    }

    /** Whether {@link #value} has values of a type. */
    static boolean holds(DataType type) {
        if (type instanceof ArrayType list) {
            return holds(list.elementType());
        } else if (type instanceof StructType struct) {
            return Arrays.stream(struct.fields()).allMatch(field -> holds(field.dataType()));
        }
        return ScalarKind.of(type).isPresent();
    }

    /** The value; null if the node has another type, or is a number out of range. */
    private static @Nullable Object scalar(JsonNode node, ScalarKind kind) {
        return switch (kind) {
            case STRING ->
                node.isTextual() ? node.textValue() : node.isContainerNode() ? node.toString() : node.asText();
            case BOOLEAN -> node.isBoolean() ? node.booleanValue() : null;
            case BYTE, SHORT, INTEGER, LONG ->
                node.isIntegralNumber() && node.canConvertToLong() ? kind.boxed(node.longValue()) : null;
            case FLOAT -> node.isNumber() && Float.isFinite(node.floatValue()) ? (Object) node.floatValue() : null;
            case DOUBLE -> node.isNumber() && Double.isFinite(node.doubleValue()) ? (Object) node.doubleValue() : null;
            case BINARY -> base64(node);
        };
    }

    /** Fractions are rounded to the nearest value, as everywhere; a whole number is exact or refused. */
    private static boolean isRounded(JsonNode node, Number value) {
        return node.isIntegralNumber()
                && (value instanceof Double || value instanceof Float)
                && new BigDecimal(value.doubleValue()).compareTo(node.decimalValue()) != 0;
    }

    private static byte @Nullable [] base64(JsonNode node) {
        try {
            return node.isTextual() ? node.binaryValue() : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static RuntimeException unfit(JsonNode node, DataType type, String name, Line line) {
        String shown = node.toString();
        return line.damage("'" + name + "' is " + (shown.length() > 60 ? shown.substring(0, 60) + "…" : shown) + ", no "
                + type.simpleString());
    }
}
