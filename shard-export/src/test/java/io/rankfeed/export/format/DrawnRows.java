package io.rankfeed.export.format;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows with random values of all types.
 *
 * @param values by row, then by field: the value as bytes, null if it is missing
 */
public record DrawnRows(SampleSchema schema, List<Long> ids, List<List<byte @Nullable []>> values) {
    private static final List<String> TEXTS =
            List.of("", "a", "ä\n\"quoted\" \\ tab\t", "日本語 🎈", "\u0001\u001f", "x".repeat(700));

    /** A field of every type, shape and nullability for which the filter is true. */
    public static SampleSchema schema(Predicate<Field> filter) {
        List<Field> fields = new ArrayList<>();
        for (DType type : DType.values()) {
            String name = type.id();
            for (boolean nullable : new boolean[] {false, true}) {
                String suffix = nullable ? "_or_null" : "";
                fields.add(new Field(name + suffix, type, Shape.scalar(), nullable));
                fields.add(new Field("many_" + name + suffix, type, Shape.of(Shape.VARIABLE), nullable));
                if (!type.isBytes()) {
                    fields.add(new Field("box_" + name + suffix, type, Shape.of(2, 3), nullable));
                    fields.add(new Field("pairs_" + name + suffix, type, Shape.of(Shape.VARIABLE, 2), nullable));
                }
            }
        }
        return new SampleSchema(fields.stream().filter(filter).toList());
    }

    public static DrawnRows of(SampleSchema schema, int rows, long seed) {
        Random random = new Random(seed);
        List<Long> ids = new ArrayList<>();
        List<List<byte @Nullable []>> values = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            ids.add(row == 1 ? Long.MAX_VALUE : row == 2 ? Long.MIN_VALUE : 1000L + 7L * row);
            List<byte @Nullable []> of = new ArrayList<>();
            for (Field field : schema.fields()) {
                of.add(field.nullable() && random.nextInt(3) == 0 ? null : value(field, random));
            }
            values.add(of);
        }
        return new DrawnRows(schema, ids, values);
    }

    /** Puts a row into the holder as the jobs do. */
    public void fill(FormatRow row, int at) {
        row.begin(ids.get(at));
        for (int field = 0; field < schema.fields().size(); field++) {
            byte[] value = values.get(at).get(field);
            if (value == null) {
                row.putMissing(field);
            } else if (Format.isNumber(schema.fields().get(field))) {
                long bits = -1; // what is above the type's width must not matter
                for (int i = value.length - 1; i >= 0; i--) {
                    bits = (bits << 8) | (value[i] & 0xFF);
                }
                row.putBits(field, bits);
            } else {
                byte[] shifted = new byte[value.length + 5];
                Arrays.fill(shifted, (byte) 0x55);
                System.arraycopy(value, 0, shifted, 3, value.length);
                row.putBytes(field, shifted, 3, value.length);
            }
        }
        row.end();
    }

    private static byte[] value(Field field, Random random) {
        return switch (field.kind()) {
            case FIXED ->
                numbers(field.dtype(), field.strideBytes() / field.dtype().sizeBytes(), random);
            case RAGGED -> {
                int first = random.nextInt(8) == 0 ? 300 : random.nextInt(4);
                yield numbers(
                        field.dtype(),
                        first * field.strideBytes() / field.dtype().sizeBytes(),
                        random);
            }
            case BYTES -> item(field.dtype(), random);
            case LIST -> {
                List<byte[]> items = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(item(field.dtype(), random));
                }
                yield PackedList.of(items);
            }
        };
    }

    private static byte[] item(DType type, Random random) {
        if (type == DType.STRING) {
            return TEXTS.get(random.nextInt(TEXTS.size())).getBytes(StandardCharsets.UTF_8);
        }
        byte[] bytes = new byte[random.nextInt(8) == 0 ? 70_000 : random.nextInt(1100)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Any bits, but true and false for bool, and no other NaN than the usual one: formats may have just one. */
    private static byte[] numbers(DType type, int count, Random random) {
        byte[] bytes = new byte[count * type.sizeBytes()];
        random.nextBytes(bytes);
        int size = type.sizeBytes();
        for (int i = 0; i < count; i++) {
            switch (type) {
                case BOOL -> bytes[i] &= 1;
                case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> drawFloat(bytes, i * size, type, random);
                default -> {
                    if (random.nextInt(4) == 0) {
                        Arrays.fill(bytes, i * size, (i + 1) * size, (byte) (random.nextBoolean() ? 0 : -1));
                    }
                }
            }
        }
        return bytes;
    }

    /** The bits of {@code NaN}, {@code Infinity} or {@code -Infinity}. */
    public static long nonFinite(DType type, String text) {
        int mantissaBits =
                switch (type) {
                    case FLOAT16 -> 10;
                    case BFLOAT16 -> 7;
                    case FLOAT32 -> 23;
                    case FLOAT64 -> 52;
                    default -> throw new IllegalArgumentException(type.id());
                };
        long sign = 1L << (8 * type.sizeBytes() - 1);
        long infinity = (sign - 1) & -(1L << mantissaBits);
        return switch (text) {
            case "NaN" -> infinity | (1L << (mantissaBits - 1));
            case "-Infinity" -> infinity | sign;
            default -> infinity;
        };
    }

    /** Replaces one in four by NaN, an infinity, a zero, the smallest or the largest number, and any other NaN by the usual one. */
    private static void drawFloat(byte[] bytes, int at, DType type, Random random) {
        int size = type.sizeBytes();
        long sign = 1L << (8 * size - 1);
        long infinity = nonFinite(type, "Infinity");
        long bits = 0;
        for (int i = size - 1; i >= 0; i--) {
            bits = (bits << 8) | (bytes[at + i] & 0xFF);
        }
        if (random.nextInt(4) == 0) {
            bits = (bits & sign) | List.of(infinity, 0L, 1L, infinity - 1).get(random.nextInt(4));
            bits = random.nextInt(5) == 0 ? nonFinite(type, "NaN") : bits;
        } else if ((bits & infinity) == infinity) {
            bits = nonFinite(type, "NaN");
        }
        for (int i = 0; i < size; i++) {
            bytes[at + i] = (byte) (bits >> (8 * i));
        }
    }
}
