package io.rankfeed.export;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import java.util.ArrayList;
import java.util.List;

/** One column as it lies in the file: a field, a field's {@code .valid} column, or provenance. */
record CacheColumn(String name, DType dtype, Shape shape) {
    /** Columns before the first field: row id, source file, row in it. */
    static final int PROVENANCE = 3;

    static List<CacheColumn> of(SampleSchema schema) {
        List<CacheColumn> columns = new ArrayList<>();
        columns.add(new CacheColumn("_row_id", DType.INT64, Shape.scalar()));
        columns.add(new CacheColumn("_source", DType.INT32, Shape.scalar()));
        columns.add(new CacheColumn("_source_row", DType.INT64, Shape.scalar()));
        for (Field field : schema.fields()) {
            columns.add(new CacheColumn(field.name(), field.dtype(), field.shape()));
            if (field.nullable()) {
                columns.add(new CacheColumn(field.name() + ".valid", DType.UINT8, Shape.scalar()));
            }
        }
        return List.copyOf(columns);
    }

    boolean isList() {
        return !dtype.isBytes() && shape.rank() > 0;
    }

    boolean hasOffsets() {
        return dtype.isBytes() || shape.isVariable();
    }

    /** Bytes of one row; of a ragged value, of one step along its first dimension; of string and binary 1. */
    int strideBytes() {
        return shape.elements() * dtype.sizeBytes();
    }
}
