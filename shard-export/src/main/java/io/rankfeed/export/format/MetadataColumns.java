package io.rankfeed.export.format;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;

/** Columns that are in {@code <split>_metadata.json} and in no other file. */
public final class MetadataColumns {
    /** The name of the row id in the metadata. */
    static final String ROW_ID = "id";

    private MetadataColumns() {}

    /** Whether the metadata can have values of this type. */
    public static boolean holds(Field field) {
        return Format.isNumber(field) || field.dtype() == DType.STRING;
    }

    /** @throws ConfigException if the metadata cannot store the column */
    public static void require(String format, Field field, String reason) {
        if (!holds(field)) {
            throw Format.unsupported(
                    format, field, reason + ", and the metadata has numbers and strings only; leave it out of columns");
        } else if (field.name().equals(ROW_ID)) {
            throw Format.unsupported(
                    format,
                    field,
                    reason + ", and the metadata has the row id under this name; leave it out of columns, or rename it"
                            + " in the query");
        }
    }

    /** Appends the object that the metadata has for a row. */
    public static void append(FormatRow row, SampleSchema schema, List<Integer> written, ByteBuilder to) {
        to.putAscii("{\"id\": ").putAscii(Long.toString(row.rowId()));
        for (int index : written) {
            Field field = schema.fields().get(index);
            to.putAscii(", \"").putAscii(field.name()).putAscii("\": ");
            if (Format.isNumber(field)) {
                JsonText.appendNumber(row, index, field.dtype(), to);
            } else if (row.isMissing(index)) {
                to.putAscii("null");
            } else if (field.kind() == Field.Kind.LIST) {
                JsonText.append(row, index, to);
            } else {
                JsonText.quote(row.array(index), row.offset(index), row.lengthBytes(index), to);
            }
        }
        to.put((byte) '}');
    }
}
