package io.rankfeed.export.format.store;

import io.rankfeed.export.format.Format;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;

/** Columns that are in {@code <split>_metadata.json} and in no other file. */
final class MetadataColumns {
    /** The name of the row id in the metadata. */
    private static final String ID = "id";

    private MetadataColumns() {}

    static boolean holds(Field field) {
        return Format.isNumber(field) || field.dtype() == DType.STRING;
    }

    /** @throws ConfigException if the metadata cannot hold the column */
    static void require(String format, Field field, String reason) {
        if (!holds(field)) {
            throw Format.unsupported(
                    format, field, reason + ", and the metadata has numbers and strings only; leave it out of select");
        } else if (field.name().equals(ID)) {
            throw Format.unsupported(
                    format, field, reason + ", and the metadata has the row id under this name; rename it in select");
        }
    }
}
