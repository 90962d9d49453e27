package io.rankfeed.look;

import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.schema.failure.CorruptDataException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.Type;

/**
 * The schema of a Parquet file.
 *
 * @param columns those at the top, in the order of the file
 * @param flat paths of the columns that have one value in each row
 * @param elements the whole schema, which schemas of files are compared by
 */
// Thrift has checked required members; others are asked for only where they are set.
@SuppressWarnings("NullAway")
record ParquetSchema(List<Column> columns, Set<List<String>> flat, List<SchemaElement> elements) {
    private static final int MAX_DEPTH = 128;

    /** A column, in the words of Parquet. */
    record Column(String name, String type, String repetition) {}

    /** @throws CorruptDataException if the numbers of children contradict the list of elements */
    static ParquetSchema of(List<SchemaElement> elements, ParquetTail tail) {
        Walk walk = new Walk(elements, tail);
        if (elements.isEmpty() || elements.get(0).getNum_children() < 1) {
            throw walk.damage("it has no columns");
        }
        for (int child = 0; child < elements.get(0).getNum_children(); child++) {
            SchemaElement element = walk.element();
            walk.columns.add(new Column(element.getName(), type(element), repetition(element)));
            walk.subtree(List.of(), true);
        }
        if (walk.next < elements.size()) {
            throw walk.damage("its schema has more elements than columns");
        }
        return new ParquetSchema(walk.columns, walk.flat, elements);
    }

    boolean isFlat(List<String> path) {
        return flat.contains(path);
    }

    /** Elements are listed from the top down, each before its children. */
    private static final class Walk {
        private final List<SchemaElement> elements;
        private final ParquetTail tail;
        private final List<Column> columns = new ArrayList<>();
        private final Set<List<String>> flat = new HashSet<>();
        private int next = 1;

        Walk(List<SchemaElement> elements, ParquetTail tail) {
            this.elements = elements;
            this.tail = tail;
        }

        SchemaElement element() {
            if (next >= elements.size()) {
                throw damage("its schema ends before its last column");
            }
            return elements.get(next);
        }

        void subtree(List<String> parents, boolean isFlat) {
            SchemaElement element = element();
            next++;
            if (parents.size() >= MAX_DEPTH) {
                throw damage("its schema is nested more than " + MAX_DEPTH + " times");
            }
            List<String> path = new ArrayList<>(parents);
            path.add(element.getName());
            boolean isOne = isFlat && element.getRepetition_type() != FieldRepetitionType.REPEATED;
            if (element.isSetType()) {
                if (isOne) {
                    flat.add(path);
                }
                return;
            }
            for (int child = 0; child < element.getNum_children(); child++) {
                subtree(path, isOne);
            }
        }

        CorruptDataException damage(String what) {
            return new CorruptDataException(
                    tail.name(), tail.footerStart(), "the Parquet footer cannot be read: " + what);
        }
    }

    private static String repetition(SchemaElement element) {
        return String.valueOf(element.getRepetition_type()).toLowerCase(Locale.ROOT);
    }

    private static String type(SchemaElement element) {
        String logical = logical(element).toLowerCase(Locale.ROOT);
        if (!element.isSetType()) {
            return logical.isEmpty() ? "group" : logical;
        }
        String primitive = element.getType() == Type.BYTE_ARRAY
                ? "binary"
                : element.getType().name().toLowerCase(Locale.ROOT);
        return logical.isEmpty() ? primitive : primitive + " " + logical;
    }

    /** The logical type as Parquet's own tools write it; empty if there is none, or a type of a newer version. */
    private static String logical(SchemaElement element) {
        LogicalType type = element.getLogicalType();
        if (type == null) {
            return element.isSetConverted_type() ? converted(element) : "";
        } else if (type.getSetField() == null) {
            return "";
        }
        return switch (type.getSetField()) {
            case DECIMAL -> {
                DecimalType decimal = type.getDECIMAL();
                yield "decimal(" + decimal.getPrecision() + "," + decimal.getScale() + ")";
            }
            case TIME -> time("time", type.getTIME().getUnit(), type.getTIME().isIsAdjustedToUTC());
            case TIMESTAMP ->
                time(
                        "timestamp",
                        type.getTIMESTAMP().getUnit(),
                        type.getTIMESTAMP().isIsAdjustedToUTC());
            case INTEGER -> {
                IntType integer = type.getINTEGER();
                yield "integer(" + integer.getBitWidth() + "," + integer.isIsSigned() + ")";
            }
            default -> type.getSetField().name();
        };
    }

    private static String time(String name, TimeUnit unit, boolean isUtc) {
        return name + "("
                + (unit.getSetField() == null ? "unknown" : unit.getSetField().name()) + "," + isUtc + ")";
    }

    /** The logical type of a file that was written before there were logical types. */
    private static String converted(SchemaElement element) {
        ConvertedType type = element.getConverted_type();
        return switch (type) {
            case UTF8 -> "string";
            case DECIMAL -> "decimal(" + element.getPrecision() + "," + element.getScale() + ")";
            case TIME_MILLIS, TIME_MICROS, TIMESTAMP_MILLIS, TIMESTAMP_MICROS ->
                type.name().replace("_", "(") + ",true)";
            case UINT_8, UINT_16, UINT_32, UINT_64 -> "integer(" + type.name().substring(5) + ",false)";
            case INT_8, INT_16, INT_32, INT_64 -> "integer(" + type.name().substring(4) + ",true)";
            default -> type.name();
        };
    }
}
