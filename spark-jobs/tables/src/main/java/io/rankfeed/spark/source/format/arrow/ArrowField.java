package io.rankfeed.spark.source.format.arrow;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A field of a schema.
 *
 * @param width bits of a value if the layout is {@code FIXED}, items of a list if it is {@code FIXED_LIST}
 * @param words its type, without names of list items
 * @param spark its type in Spark; null if it has none
 * @param value reads a value, if the layout is {@code FIXED} and the field has a type in Spark
 * @param dictionary where its values are; null if they are in the record batch
 */
record ArrowField(
        String name,
        boolean nullable,
        Layout layout,
        int width,
        String words,
        @Nullable DataType spark,
        @Nullable FixedValue value,
        List<ArrowField> children,
        @Nullable Dictionary dictionary) {

    /** The buffers of a column. */
    enum Layout {
        NULL(0),
        FIXED(2),
        VARIABLE(3),
        LARGE_VARIABLE(3),
        /** Further buffers are counted by the record batch. */
        VIEW(2),
        LIST(2),
        LARGE_LIST(2),
        LIST_VIEW(3),
        FIXED_LIST(1),
        STRUCT(1),
        SPARSE_UNION(1),
        DENSE_UNION(2),
        RUN_ENDS(0);

        final int buffers;

        Layout(int buffers) {
            this.buffers = buffers;
        }
    }

    /** Reads a value that has a fixed width. */
    interface FixedValue {
        Object at(ByteBuffer data, int row);
    }

    /** @param index a field of the type of the indices */
    record Dictionary(long id, ArrowField index) {}

    /** The field of the values of its dictionary. */
    ArrowField withoutDictionary() {
        return new ArrowField(name, nullable, layout, width, words, spark, value, children, null);
    }

    /** The fields whose columns are in a record batch, this one first. */
    Stream<ArrowField> stored() {
        return dictionary != null
                ? Stream.of(dictionary.index())
                : Stream.concat(Stream.of(this), children.stream().flatMap(ArrowField::stored));
    }

    /** Returns all fields that have a dictionary, including those inside the values of a dictionary. */
    Stream<ArrowField> encoded() {
        Stream<ArrowField> inside = children.stream().flatMap(ArrowField::encoded);
        return dictionary != null ? Stream.concat(inside, Stream.of(this)) : inside;
    }

    static int total(List<ArrowField> fields, ToIntFunction<ArrowField> count) {
        return fields.stream().flatMap(ArrowField::stored).mapToInt(count).sum();
    }
}
