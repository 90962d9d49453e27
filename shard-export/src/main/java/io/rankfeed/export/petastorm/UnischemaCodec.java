package io.rankfeed.export.petastorm;

import java.io.Serializable;

/** How the values of a field are laid out in its Parquet column. */
public sealed interface UnischemaCodec extends Serializable {
    /** As Parquet has them. */
    record None() implements UnischemaCodec {}

    /**
     * As Parquet has them, of a named Spark type.
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
