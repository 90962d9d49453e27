package io.rankfeed.export.card;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.CacheColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * A column as the {@code datasets} library sees it in our files.
 *
 * @param type of a value, or of a list's items, by the library's name
 * @param length of a list of fixed length, {@link #RAGGED}, or {@link #SCALAR}
 */
record Feature(String name, String type, int length) {
    static final int SCALAR = -1;
    static final int RAGGED = -2;

    /** Row checksums: docs/format/manifest.md, section 9. */
    private static final Feature CHECKSUM = new Feature("_checksum", "binary", SCALAR);

    /** Returns the columns of the prepared table's Parquet files, in which tensors are packed. */
    static List<Feature> ofPrepared(SampleSchema schema) {
        List<Feature> features = new ArrayList<>();
        for (Field field : schema.fields()) {
            boolean packed = field.shape().rank() > 0;
            features.add(
                    new Feature(field.name(), packed ? "binary" : field.dtype().id(), SCALAR));
        }
        CacheColumn.PROVENANCE.forEach(column -> features.add(of(column)));
        features.add(CHECKSUM);
        return features;
    }

    /** Returns the columns of a version's Arrow files. */
    static List<Feature> ofCache(SampleSchema schema) {
        return CacheColumn.of(schema).stream().map(Feature::of).toList();
    }

    private static Feature of(CacheColumn column) {
        String type = column.dtype() == DType.BFLOAT16
                ? DType.UINT16.id()
                : column.dtype().id();
        type = column.dtype() == DType.BOOL ? DType.UINT8.id() : type;
        if (column.shape().isVariable()) {
            return new Feature(column.name(), type, RAGGED);
        }
        boolean scalar = column.dtype().isBytes() || column.shape().rank() == 0;
        return new Feature(column.name(), type, scalar ? SCALAR : column.shape().elements());
    }

    /** Returns the lines of this column in the YAML of the dataset card. */
    List<String> yaml() {
        List<String> lines = new ArrayList<>(List.of("- name: " + Yaml.text(name)));
        lines.add((length == SCALAR ? "  dtype: " : "  list: ") + type);
        if (length >= 0) {
            lines.add("  length: " + length);
        }
        return lines;
    }
}
