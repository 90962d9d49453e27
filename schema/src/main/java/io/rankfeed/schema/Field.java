package io.rankfeed.schema;

import io.rankfeed.schema.failure.ConfigException;
import java.util.regex.Pattern;

/**
 * A named column of a sample.
 *
 * @param name {@code [A-Za-z_][A-Za-z0-9_]{0,62}}
 * @param dtype element type
 * @param shape shape of one row's value; of string and binary scalar, or {@code [null]} for a list of any length
 * @param nullable whether a row may have no value
 */
public record Field(String name, DType dtype, Shape shape, boolean nullable) {
    /** The layout of a field's values in memory. */
    public enum Kind {
        /** Numeric, every row of the same shape: base + row · stride. */
        FIXED,
        /** Numeric, the first dimension differs from row to row, the others are fixed: offsets and values. */
        RAGGED,
        /** String or binary: offsets and bytes. */
        BYTES,
        /** A list of strings or binary in each row: offsets of items, offsets of bytes, bytes. */
        LIST;

        /** The kind of values of this type and shape. */
        public static Kind of(DType dtype, Shape shape) {
            if (dtype.isBytes()) {
                return shape.isVariable() ? LIST : BYTES;
            }
            return shape.isVariable() ? RAGGED : FIXED;
        }
    }

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    /** The rule for names, as messages state it. */
    public static final String NAME_RULE = "must match " + NAME.pattern();

    /** @throws ConfigException if the name or the shape cannot be */
    public Field {
        if (!isName(name)) {
            throw new ConfigException(
                    "field name '" + name + "' " + NAME_RULE + "; rename the column in the job's select");
        }
        if (dtype.isBytes() && shape.rank() != 0 && !shape.equals(Shape.of(Shape.VARIABLE))) {
            throw new ConfigException("field '" + name + "': a " + dtype.id()
                    + " has the shape [], or [null] for a list of any length, not " + shape);
        }
        // Widened first: the largest fixed value must itself be addressable by an int.
        if ((long) shape.elements() * dtype.sizeBytes() > Integer.MAX_VALUE) {
            throw new ConfigException(
                    "field '" + name + "': a value of " + dtype.id() + " " + shape + " exceeds 2 GiB");
        }
    }

    /** Whether a field may have this name. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    public Kind kind() {
        return Kind.of(dtype, shape);
    }

    /** Bytes of one row (FIXED), of one step along the first dimension (RAGGED), or 1 (BYTES, LIST). */
    public int strideBytes() {
        return shape.elements() * dtype.sizeBytes();
    }
}
