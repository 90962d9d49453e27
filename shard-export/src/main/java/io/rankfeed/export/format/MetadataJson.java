package io.rankfeed.export.format;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.HalfFloats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes {@code <split>_metadata.json}: a list with an object for each row of the set, in their order. Its members are
 * {@code id}, the row's, and the fields that the format {@linkplain Format#metadataFields names}.
 */
public final class MetadataJson implements AutoCloseable {
    private final List<Field> fields;
    private final List<Integer> written;
    private final CountedFile file;
    private final ByteBuilder line = new ByteBuilder();
    private long rows;

    /** @param written indices of the fields */
    public MetadataJson(FileSet set, List<Integer> written, PartFiles files) throws IOException {
        this.fields = set.schema().fields();
        this.written = List.copyOf(written);
        this.file = new CountedFile(files, path(set));
    }

    public static String path(FileSet set) {
        return set.split() + "_metadata.json";
    }

    public void row(FormatRow row) throws IOException {
        line.clear();
        text(rows++ == 0 ? "[\n{\"id\": " : ",\n{\"id\": ");
        text(Long.toString(row.rowId()));
        for (int field : written) {
            text(", \"");
            text(fields.get(field).name());
            text("\": ");
            appendValue(row, field);
        }
        line.put((byte) '}');
        file.write(line);
    }

    public FormatFile finish() throws IOException {
        file.write((rows == 0 ? "[]\n" : "\n]\n").getBytes(StandardCharsets.UTF_8));
        return file.publish(rows);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void appendValue(FormatRow row, int field) {
        Field declared = fields.get(field);
        if (row.isMissing(field)) {
            text("null");
        } else if (Format.isNumber(declared)) {
            text(number(declared.dtype(), row.bits(field)));
        } else if (declared.dtype() == DType.STRING && declared.kind() == Field.Kind.BYTES) {
            JsonText.quote(row.array(field), row.offset(field), row.lengthBytes(field), line);
        } else if (declared.dtype() == DType.STRING) {
            JsonText.append(row, field, line);
        } else {
            throw new IllegalArgumentException("column '" + declared.name() + "' is neither text nor a number");
        }
    }

    /** Integers exactly, floats with the fewest digits that give the same float; Python's {@code json} reads all. */
    private static String number(DType type, long bits) {
        return switch (type) {
            case BOOL -> Boolean.toString((bits & 0xFF) != 0);
            case INT8 -> Byte.toString((byte) bits);
            case INT16 -> Short.toString((short) bits);
            case INT32 -> Integer.toString((int) bits);
            case INT64 -> Long.toString(bits);
            case UINT8 -> Long.toString(bits & 0xFF);
            case UINT16 -> Long.toString(bits & 0xFFFF);
            case UINT32 -> Long.toString(bits & 0xFFFFFFFFL);
            case UINT64 -> Long.toUnsignedString(bits);
            case FLOAT16 -> Float.toString(HalfFloats.fromFloat16((short) bits));
            case BFLOAT16 -> Float.toString(HalfFloats.fromBfloat16((short) bits));
            case FLOAT32 -> Float.toString(Float.intBitsToFloat((int) bits));
            case FLOAT64 -> Double.toString(Double.longBitsToDouble(bits));
            case STRING, BINARY -> throw new IllegalArgumentException("not a number");
        };
    }

    private void text(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            line.put((byte) ascii.charAt(i));
        }
    }
}
