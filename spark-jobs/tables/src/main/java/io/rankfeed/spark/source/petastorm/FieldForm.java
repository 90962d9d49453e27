package io.rankfeed.spark.source.petastorm;

import io.rankfeed.export.petastorm.NumpyType;
import io.rankfeed.export.petastorm.UnischemaCodec;
import io.rankfeed.export.petastorm.UnischemaField;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Printable;
import java.util.List;

/** The form that the values of a Unischema's field have in a source's view (docs/format/petastorm.md has the table). */
enum FieldForm {
    /** The Parquet column's own value, cast to what the numpy type says. */
    SCALAR,
    /** A value of an array without dimensions. */
    ELEMENT,
    /** A tensor, packed: a shape of which at most the first dimension is open. */
    PACKED,
    /** Lists of lists: text, and shapes that no tensor has. */
    NESTED,
    /** The Parquet column as it is: lists without a codec, image files of no fixed width. */
    AS_STORED;

    /** @throws ConfigException if no column can hold the field */
    static FieldForm of(UnischemaField field) {
        UnischemaCodec codec = field.codec();
        if (codec instanceof UnischemaCodec.None || codec instanceof UnischemaCodec.Scalar) {
            return field.shape().isEmpty() ? SCALAR : AS_STORED;
        } else if (codec instanceof UnischemaCodec.CompressedImage) {
            return isTensor(field) && isPixels(field) ? PACKED : AS_STORED;
        } else if (field.type().dtype().isEmpty()) {
            throw new ConfigException("field '" + Printable.of(field.name()) + "' is an array of "
                    + field.type().id() + ", which no column holds; name the others under the source's columns:");
        } else if (field.type().isText()) {
            return field.shape().isEmpty() ? ELEMENT : NESTED;
        } else if (field.shape().isEmpty()) {
            return ELEMENT;
        }
        return isTensor(field) ? PACKED : NESTED;
    }

    private static boolean isPixels(UnischemaField field) {
        boolean depth = field.type() == NumpyType.UINT8 || field.type() == NumpyType.UINT16;
        List<Integer> shape = field.shape();
        return depth && (shape.size() == 2 || (shape.size() == 3 && shape.get(2) == 3));
    }

    private static boolean isTensor(UnischemaField field) {
        List<Integer> dims = field.shape();
        long bytes = 8;
        for (int i = 0; i < dims.size(); i++) {
            if (i > 0 && dims.get(i) == UnischemaField.ANY) {
                return false;
            }
            bytes *= Math.max(1, dims.get(i));
            if (bytes > Integer.MAX_VALUE) {
                return false;
            }
        }
        return dims.size() <= Shape.MAX_RANK;
    }
}
