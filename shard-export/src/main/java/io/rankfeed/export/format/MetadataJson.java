package io.rankfeed.export.format;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes {@code <split>_metadata.json}: a list with an object for each row of the set, in their order. Its members are
 * {@code id}, the row's, and the fields that the format {@linkplain Format#metadataFields names}.
 */
public final class MetadataJson implements AutoCloseable {
    /** The member that has the row id. */
    static final String ROW_ID = "id";

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
        line.putAscii(rows++ == 0 ? "[\n{\"id\": " : ",\n{\"id\": ");
        line.putAscii(Long.toString(row.rowId()));
        for (int field : written) {
            line.putAscii(", \"");
            line.putAscii(fields.get(field).name());
            line.putAscii("\": ");
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
        if (Format.isNumber(declared)) {
            JsonText.appendNumber(row, field, declared.dtype(), line);
        } else if (row.isMissing(field)) {
            line.putAscii("null");
        } else if (declared.dtype() == DType.STRING && declared.kind() == Field.Kind.BYTES) {
            JsonText.quote(row.array(field), row.offset(field), row.lengthBytes(field), line);
        } else if (declared.dtype() == DType.STRING) {
            JsonText.append(row, field, line);
        } else {
            throw new IllegalArgumentException("column '" + declared.name() + "' is neither text nor a number");
        }
    }
}
