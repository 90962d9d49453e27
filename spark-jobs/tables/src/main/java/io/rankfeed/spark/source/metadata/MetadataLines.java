package io.rankfeed.spark.source.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.source.jsonl.ColumnCase;
import io.rankfeed.spark.source.jsonl.JsonLine;
import io.rankfeed.spark.source.jsonl.JsonlLines.Line;
import io.rankfeed.spark.source.jsonl.JsonlParser;
import io.rankfeed.spark.source.jsonl.LineChunk;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Chosen lines as rows, with what the metadata says of each. Where both have the same column they must agree.
 *
 * @param more columns of the metadata that the lines do not have
 * @param indexOf the index of each line in the list, by line number; empty if no lines are drawn
 */
record MetadataLines(JsonlParser parser, Broadcast<MetadataTable> metadata, StructType more, Broadcast<int[]> indexOf)
        implements Serializable {
    Iterator<Row> rows(LineChunk chunk, Configuration conf) {
        Iterator<Line> lines = chunk.read(conf);
        String address = RowAddress.of(new Path(chunk.file()));
        return ComputedIterator.mapped(lines, line -> row(line, address));
    }

    private Row row(Line line, String address) {
        int number = (int) line.number();
        JsonNode object = JsonLine.object(line);
        MetadataTable table = metadata.value();
        refuseOtherCase(line, table, object);
        refuseOtherCase(line, table, object.path("metadata"));
        for (String column : table.names()) {
            Object reported = table.value(column, number);
            refuseOther(line, table, column, reported, object.get(column));
            refuseOther(line, table, column, reported, object.path("metadata").get(column));
        }
        int[] indices = indexOf.value();
        StructField[] fields = more.fields();
        @Nullable Object[] added = new @Nullable Object[fields.length + (indices.length > 0 ? 1 : 0)];
        for (int i = 0; i < fields.length; i++) {
            added[i] = value(table, fields[i], number);
        }
        if (indices.length > 0) {
            added[fields.length] = (long) indices[number];
        }
        return parser.row(line, object, address, added);
    }

    private static void refuseOtherCase(Line line, MetadataTable table, JsonNode object) {
        object.fieldNames().forEachRemaining(key -> table.otherCase(key).ifPresent(other -> {
            throw line.damage(
                    "has the key '" + key + "', and " + table.file() + " has '" + other + "'; " + ColumnCase.REMEDY);
        }));
    }

    /** A value as the column's type has it. */
    static @Nullable Object value(MetadataTable table, StructField column, int row) {
        Object value = table.value(column.name(), row);
        if (!(value instanceof Number number)) {
            return value;
        }
        return column.dataType().equals(DataTypes.DoubleType)
                ? (Object) number.doubleValue()
                : (Object) number.longValue();
    }

    private static void refuseOther(
            Line line, MetadataTable table, String column, @Nullable Object reported, @Nullable JsonNode own) {
        if (reported == null || own == null || !own.isValueNode() || own.isNull()) {
            return;
        }
        boolean same = (reported instanceof Number number && own.isNumber())
                ? isEqual(number, own)
                : reported.toString().equals(own.asText());
        if (!same) {
            throw line.damage("'" + column + "' is " + own + ", and " + table.file() + " has " + reported
                    + ": it describes other lines; make the metadata again");
        }
    }

    /** Compares all digits: different 64-bit ids may be the same double. */
    static boolean isEqual(Number reported, JsonNode own) {
        try {
            return new BigDecimal(reported.toString()).compareTo(own.decimalValue()) == 0;
        } catch (NumberFormatException e) {
            // The exponent of the line's number is not an int; the metadata has no such number.
            return false;
        }
    }
}
