package io.rankfeed.export.petastorm;

import java.io.Serializable;

/** The encoding of a field's values in its Parquet column. */
public sealed interface UnischemaCodec extends Serializable {
    /** Values are stored as in Parquet. */
    record None() implements UnischemaCodec {}

    /**
     * Values are stored as in Parquet, with a named Spark type.
     *
     * @param sparkType the class in {@code pyspark.sql.types}
     */
    record Scalar(String sparkType) implements UnischemaCodec {}

    /** The bytes that {@code np.save} writes. */
    record Ndarray() implements UnischemaCodec {}

    /** The bytes that {@code np.savez_compressed} writes: a zip of one {@code arr.npy}. */
    record CompressedNdarray() implements UnischemaCodec {}

    /**
     * An image file, in RGB.
     *
     * @param format {@code png} or {@code jpeg}
     * @param quality of JPEG, 0 to 100
     */
    record CompressedImage(String format, int quality) implements UnischemaCodec {}
}
