package io.rankfeed.schema.cache;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.List;

/**
 * A column of a cache file.
 *
 * @param name the field's name, a provenance column's, or {@code <field>.valid}
 * @param dtype the field's element type; bool is stored as uint8, bfloat16 as uint16
 * @param shape shape of one row
 */
public record CacheColumn(String name, DType dtype, Shape shape) {
    public static final CacheColumn ROW_ID = new CacheColumn("_row_id", DType.INT64, Shape.scalar());
    public static final CacheColumn SOURCE = new CacheColumn("_source", DType.INT32, Shape.scalar());
    public static final CacheColumn SOURCE_ROW = new CacheColumn("_source_row", DType.INT64, Shape.scalar());

    /** The columns before the fields, in every file. */
    public static final List<CacheColumn> PROVENANCE = List.of(ROW_ID, SOURCE, SOURCE_ROW);

    /**
     * The suffix of a nullable field's name that names the column of its valid bits (uint8, 1 if the value is present).
     */
    public static final String VALID_SUFFIX = ".valid";

    /**
     * The columns of a file: provenance, then the fields in order, each nullable one directly followed by its
     * {@code .valid}.
     *
     * @throws ConfigException if a field has the name of a provenance column
     */
    public static List<CacheColumn> of(SampleSchema schema) {
        List<CacheColumn> columns = new ArrayList<>(PROVENANCE);
        for (Field field : schema.fields()) {
            for (CacheColumn reserved : PROVENANCE) {
                if (reserved.name.equals(field.name())) {
                    throw new ConfigException("field '" + field.name()
                            + "' has the name of a provenance column; rename it in the select");
                }
            }
            columns.add(new CacheColumn(field.name(), field.dtype(), field.shape()));
            if (field.nullable()) {
                columns.add(valid(field.name()));
            }
        }
        return List.copyOf(columns);
    }

    static CacheColumn valid(String field) {
        return new CacheColumn(field + VALID_SUFFIX, DType.UINT8, Shape.scalar());
    }

    public Field.Kind kind() {
        return Field.Kind.of(dtype, shape);
    }

    /** Bytes of one row (FIXED), of one step along the variable dimension (RAGGED), or 1 (BYTES, LIST). */
    public int strideBytes() {
        return shape.elements() * dtype.sizeBytes();
    }

    /** Whether rows differ in length, so that int32 offsets say where each begins. */
    public boolean hasOffsets() {
        return kind() != Field.Kind.FIXED;
    }

    /** Whether the shape has no dimension, so that the Arrow type has no list around the value. */
    boolean isScalar() {
        return shape.rank() == 0;
    }
}
