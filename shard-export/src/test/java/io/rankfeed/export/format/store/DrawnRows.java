package io.rankfeed.export.format.store;

import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFile;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.export.format.Survey;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Rows with random values. A value is null, packed bytes (of scalars too), or a list of byte arrays.
 *
 * @param rows the values of each row by field
 */
record DrawnRows(SampleSchema schema, List<List<@Nullable Object>> rows) {
    static final long FIRST_ID = 1000;

    /** A column of every type and shape, each also nullable. */
    static SampleSchema everyType() {
        List<Field> fields = new ArrayList<>();
        for (DType dtype : DType.values()) {
            List<Shape> shapes = dtype.isBytes()
                    ? List.of(Shape.scalar(), Shape.of(Shape.VARIABLE))
                    : List.of(
                            Shape.scalar(),
                            Shape.of(3),
                            Shape.of(2, 3),
                            Shape.of(Shape.VARIABLE),
                            Shape.of(Shape.VARIABLE, 2));
            for (int i = 0; i < shapes.size(); i++) {
                fields.add(new Field(dtype.id() + "_" + i, dtype, shapes.get(i), false));
                fields.add(new Field(dtype.id() + "_" + i + "_null", dtype, shapes.get(i), true));
            }
        }
        return new SampleSchema(fields);
    }

    static DrawnRows of(SampleSchema schema, int count, Random random) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int row = 0; row < count; row++) {
            List<@Nullable Object> values = new ArrayList<>();
            for (Field field : schema.fields()) {
                values.add(field.nullable() && random.nextInt(4) == 0 ? null : value(field, random));
            }
            rows.add(values);
        }
        return new DrawnRows(schema, rows);
    }

    private static Object value(Field field, Random random) {
        switch (field.kind()) {
            case LIST -> {
                List<byte[]> items = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(bytes(field.dtype(), random));
                }
                return items;
            }
            case BYTES -> {
                return bytes(field.dtype(), random);
            }
            default -> {
                int steps = field.shape().isVariable() ? random.nextInt(5) : 1;
                return numbers(field.dtype(), steps * field.shape().elements(), random);
            }
        }
    }

    private static byte[] bytes(DType dtype, Random random) {
        int length = random.nextInt(random.nextInt(10) == 0 ? 300 : 12);
        if (dtype == DType.STRING) {
            return "a".repeat(length).concat("ä€😀\u0000\"".substring(0, random.nextInt(3)))
                    .getBytes(StandardCharsets.UTF_8);
        }
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Any bits, but no NaN with a payload: bool has 0 or 1. */
    private static byte[] numbers(DType dtype, int count, Random random) {
        byte[] bytes = new byte[count * dtype.sizeBytes()];
        random.nextBytes(bytes);
        for (int i = 0; i < count; i++) {
            int high = (i + 1) * dtype.sizeBytes() - 1;
            switch (dtype) {
                case BOOL -> bytes[high] &= 1;
                // Clears an exponent's bit.
                case FLOAT16, FLOAT32, FLOAT64, BFLOAT16 -> bytes[high] &= (byte) 0xBF;
                default -> {}
            }
        }
        return bytes;
    }

    byte[] bytes(int row, int field) {
        return (byte[]) rows.get(row).get(field);
    }

    void fill(int index, FormatRow row) {
        row.begin(FIRST_ID + index);
        for (int field = 0; field < schema.fields().size(); field++) {
            Object value = rows.get(index).get(field);
            if (value == null) {
                row.putMissing(field);
            } else if (Format.isNumber(schema.fields().get(field))) {
                byte[] bytes = (byte[]) value;
                row.putBits(field, LittleEndian.bits(schema.fields().get(field).dtype(), bytes, 0));
            } else {
                // Not at offset 0, as in a row of Spark.
                byte[] packed = value instanceof byte[] bytes ? bytes : PackedList.of(items(value));
                byte[] shifted = new byte[packed.length + 7];
                System.arraycopy(packed, 0, shifted, 5, packed.length);
                row.putBytes(field, shifted, 5, packed.length);
            }
        }
        row.end();
    }

    @SuppressWarnings("unchecked")
    static List<byte[]> items(Object value) {
        return (List<byte[]>) value;
    }

    FileSet set(String split, long partRows, FormatOptions options) {
        return new FileSet(split, schema, rows.size(), partRows, options);
    }

    /** Writes the rows in the order of the calls that {@link Format} states. */
    void write(Format format, FileSet set, Path root) throws IOException {
        format.check(set);
        FormatRow row = new FormatRow(schema);
        List<byte[]> surveys = new ArrayList<>();
        for (int part = 0; part < set.parts() && format.survey(set).isPresent(); part++) {
            Survey survey = format.survey(set).orElseThrow();
            for (long i = set.part(part).firstRow(); i < set.part(part).firstRow() + set.part(part).rows(); i++) {
                fill((int) i, row);
                survey.row(row);
            }
            surveys.add(survey.result());
        }
        List<PartSummary> parts = new ArrayList<>();
        for (int index = 0; index < set.parts(); index++) {
            Part part = set.part(index).with(surveys);
            try (FormatWriter writer = format.open(set, part, files(root))) {
                for (long i = part.firstRow(); i < part.firstRow() + part.rows(); i++) {
                    fill((int) i, row);
                    writer.row(row);
                }
                parts.add(writer.finish());
            }
        }
        format.finish(set, parts, files(root));
        format.finishAll(List.of(set), files(root));
    }

    private static PartFiles files(Path root) {
        return path -> {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            OutputStream stream = Files.newOutputStream(file);
            return new PartFile() {
                @Override
                public OutputStream stream() {
                    return stream;
                }

                @Override
                public void publish(long rows) throws IOException {
                    stream.close();
                }

                @Override
                public void close() throws IOException {
                    stream.close();
                }
            };
        };
    }
}
