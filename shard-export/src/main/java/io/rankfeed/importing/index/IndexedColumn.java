package io.rankfeed.importing.index;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;

/**
 * A column of a part.
 *
 * @param name as a {@link Field} has it
 * @param file index of the column's file in the part
 */
public record IndexedColumn(String name, DType dtype, Shape shape, int file, Values values) {
    /** Checks name, type and shape as a field does. @throws io.rankfeed.schema.failure.ConfigException if they cannot be a field's */
    public IndexedColumn {
        new Field(name, dtype, shape, false);
    }

    /** The field that the part's values are of. */
    public Field field() {
        return new Field(name, dtype, shape, values.hasMissing());
    }
}
