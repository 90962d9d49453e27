package io.rankfeed.schema.mixture;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.HalfFloats;
import io.rankfeed.schema.NumberBits;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The value that rows of a member have in a column that the member lacks.
 *
 * @param values the elements, row-major. A single value is that of all elements of a fixed shape. A string or binary has its text here, a
 *     list of them has its items
 */
public record FillValue(List<String> values) {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?([eE][-+]?[0-9]{1,3})?");

    public FillValue {
        values = List.copyOf(values);
    }

    /**
     * The value in its shortest form, so that equal values have equal strings.
     *
     * @throws ConfigException if it is not a value of the column
     */
    public static FillValue of(Field field, List<String> values) {
        FillValue value = new FillValue(
                values.stream().map(text -> canonical(field, text)).toList());
        int count = value.values.size();
        boolean fits =
                switch (field.kind()) {
                    case FIXED -> count == 1 || count == field.shape().elements();
                    case RAGGED -> count % field.shape().elements() == 0;
                    case BYTES -> count == 1;
                    case LIST -> true;
                };
        if (!fits) {
            throw new ConfigException("fill of column '" + field.name() + "' has " + count + " values, but its "
                    + field.dtype().id() + " has the shape " + field.shape() + "; give "
                    + (field.kind() == Field.Kind.RAGGED
                            ? "a multiple of " + field.shape().elements()
                            : field.shape().elements() == 1
                                    ? "one"
                                    : "one, or " + field.shape().elements()));
        }
        boolean isUniform = field.kind() == Field.Kind.FIXED
                && value.values.stream().distinct().count() == 1;
        return isUniform ? new FillValue(value.values.subList(0, 1)) : value;
    }

    /** The elements of a row of numbers, little-endian. */
    public byte[] bytes(Field field) {
        int size = field.dtype().sizeBytes();
        int count = field.kind() == Field.Kind.FIXED ? field.shape().elements() : values.size();
        ByteBuffer bytes = ByteBuffer.allocate(count * size).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            long bits = bits(field, values.get(values.size() == 1 ? 0 : i));
            switch (size) {
                case 1 -> bytes.put((byte) bits);
                case 2 -> bytes.putShort((short) bits);
                case 4 -> bytes.putInt((int) bits);
                default -> bytes.putLong(bits);
            }
        }
        return bytes.array();
    }

    /** The value of a string or binary, or the items of a list of them. */
    public List<byte[]> items() {
        return values.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /** Elements of a ragged row, or bytes of all items, as a manifest's {@code maxLength} counts them. */
    long length(Field field) {
        return field.dtype().isBytes()
                ? items().stream().mapToLong(item -> item.length).sum()
                : values.size();
    }

    private static String canonical(Field field, String text) {
        DType dtype = field.dtype();
        if (dtype.isBytes()) {
            if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
                throw new ConfigException("fill of column '" + field.name()
                        + "': has half of a surrogate pair, which is not Unicode text; write the whole character");
            }
            return text;
        }
        long bits = bits(field, text);
        return switch (dtype) {
            case BOOL -> text;
            case FLOAT16 -> Float.toString(HalfFloats.fromFloat16((short) bits));
            case BFLOAT16 -> Float.toString(HalfFloats.fromBfloat16((short) bits));
            case FLOAT32 -> Float.toString(Float.intBitsToFloat((int) bits));
            case FLOAT64 -> Double.toString(Double.longBitsToDouble(bits));
            case UINT64 -> Long.toUnsignedString(bits);
            default -> Long.toString(bits);
        };
    }

    private static long bits(Field field, String text) {
        String what = "fill of column '" + field.name() + "':";
        if (field.dtype() == DType.BOOL) {
            if (text.equals("true") || text.equals("false")) {
                return text.equals("true") ? 1 : 0;
            }
            throw new ConfigException(what + " '" + text + "' must be true or false");
        }
        if (!NUMBER.matcher(text).matches()) {
            throw new ConfigException(what + " '" + text + "' must be a number, as the column is "
                    + field.dtype().id());
        }
        return NumberBits.of(what, field.dtype(), new BigDecimal(text));
    }
}
