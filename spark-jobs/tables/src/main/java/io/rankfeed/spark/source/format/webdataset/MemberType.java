package io.rankfeed.spark.source.format.webdataset;

import io.rankfeed.export.petastorm.NpyArray;
import io.rankfeed.export.petastorm.Unfit;
import io.rankfeed.export.petastorm.UnischemaField;
import io.rankfeed.importing.tar.SampleMember;
import io.rankfeed.schema.Shape;
import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.StoredStream;
import io.rankfeed.spark.source.format.Utf8;
import io.rankfeed.spark.tensor.ScalarKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * The type of a member's value, by the last part of its extension, as the library decodes it. Images and other types stay bytes.
 *
 * @param words for messages
 * @param spark null if Spark has no such type
 */
record MemberType(String words, @Nullable DataType spark) {
    private static final String NPY = "npy";
    /** More than the header of an array of numbers has. */
    private static final int NPY_HEADER_BYTES = 1 << 13;

    private static final int MAX_INTEGER_BYTES = 32;

    /** Reads at most the header of the member's content. */
    static MemberType of(SampleMember named, StoredStream file) {
        String last = last(named);
        if (last.equals(NPY)) {
            long bytes = Math.min(named.member().bytes(), NPY_HEADER_BYTES);
            return npy(file.read(named.member().dataOffset(), bytes, "an array"));
        } else if (SampleMember.isInteger(last)) {
            return new MemberType("integer", DataTypes.LongType);
        }
        return SampleMember.isText(last)
                ? new MemberType("text", DataTypes.StringType)
                : new MemberType("bytes", DataTypes.BinaryType);
    }

    private static String last(SampleMember named) {
        return named.extension().substring(named.extension().lastIndexOf('.') + 1);
    }

    private static MemberType npy(byte[] begin) {
        try {
            UnischemaField field = NpyArray.declared(begin);
            int dims = field.shape().size();
            DataType type = field.type()
                    .dtype()
                    .filter(dtype -> dims <= Shape.MAX_RANK)
                    .map(dtype -> ScalarKind.holding(dtype).type())
                    .orElse(null);
            for (int i = 0; i < dims && type != null; i++) {
                type = DataTypes.createArrayType(type, false);
            }
            return new MemberType("array of " + field.type().id() + " with " + dims + " dimensions", type);
        } catch (Unfit e) {
            return new MemberType("an .npy file that " + e.getMessage(), null);
        }
    }

    /** Reads the value of a member. @throws CorruptDataException if its content is not of its type */
    static Object value(SampleMember named, StoredStream file) {
        long offset = named.member().dataOffset();
        byte[] content = file.read(
                offset, named.member().bytes(), "member '" + named.member().name() + "'");
        String last = last(named);
        try {
            if (last.equals(NPY)) {
                return arrays(NpyArray.of(NpyArray.declared(content), content).nested());
            } else if (SampleMember.isInteger(last)) {
                return integer(content);
            }
            return SampleMember.isText(last) ? Utf8.text(content, 0, content.length) : content;
        } catch (BadValue | Unfit e) {
            throw file.damage(offset, "member '" + named.member().name() + "': " + e.getMessage());
        }
    }

    private static long integer(byte[] content) {
        try {
            String text =
                    new String(content, 0, Math.min(content.length, MAX_INTEGER_BYTES), StandardCharsets.US_ASCII);
            if (content.length <= MAX_INTEGER_BYTES) {
                return Long.parseLong(text.strip());
            }
        } catch (NumberFormatException e) {
            // Refused below, as is a longer text.
        }
        throw BadValue.damaged("is not an integer");
    }

    /** Spark's lists are arrays. */
    private static Object arrays(Object nested) {
        return nested instanceof List<?> list
                ? list.stream().map(MemberType::arrays).toArray()
                : nested;
    }
}
