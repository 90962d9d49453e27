package io.rankfeed.spark.source.petastorm;

import io.rankfeed.export.petastorm.NpyArray;
import io.rankfeed.export.petastorm.NpyZip;
import io.rankfeed.export.petastorm.Unfit;
import io.rankfeed.export.petastorm.UnischemaCodec;
import io.rankfeed.export.petastorm.UnischemaField;
import io.rankfeed.schema.failure.CorruptDataException;
import org.apache.spark.sql.api.java.UDF3;
import org.jspecify.annotations.Nullable;

/** Decodes the values of one field: (bytes, file, row in it) to what its {@link FieldForm} says. */
record FieldDecoder(UnischemaField field, FieldForm form) implements UDF3<byte[], String, Long, Object> {
    /** @throws CorruptDataException if the bytes are none of the field's codec, type and shape */
    @Override
    public @Nullable Object call(byte @Nullable [] bytes, String file, Long row) {
        if (bytes == null) {
            return null;
        }
        try {
            return decoded(bytes);
        } catch (Unfit e) {
            throw new CorruptDataException(file + ", row " + row, "column '" + field.name() + "' " + e.getMessage(), e);
        }
    }

    Object decoded(byte[] bytes) throws Unfit {
        if (field.codec() instanceof UnischemaCodec.CompressedImage) {
            return ImagePixels.decoded(field, bytes);
        }
        byte[] npy = field.codec() instanceof UnischemaCodec.CompressedNdarray
                ? NpyZip.unzipped(bytes, expectedBytes())
                : bytes;
        NpyArray array = NpyArray.of(field, npy);
        return form == FieldForm.PACKED ? array.packed() : array.nested();
    }

    private long expectedBytes() {
        if (field.shape().contains(UnischemaField.ANY) || field.type().isText()) {
            return -1;
        }
        long bytes = 8;
        for (int dim : field.shape()) {
            bytes *= dim;
        }
        return bytes;
    }
}
