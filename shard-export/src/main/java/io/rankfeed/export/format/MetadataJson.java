package io.rankfeed.export.format;

import io.rankfeed.schema.SampleSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes {@code <split>_metadata.json}: a list with an object for each row of the set, in their order. Its members are
 * {@code id}, the row's, and the fields that the format {@linkplain Format#metadataFields names}.
 */
public final class MetadataJson implements AutoCloseable {
    private final SampleSchema schema;
    private final List<Integer> written;
    private final CountedFile file;
    private final ByteBuilder line = new ByteBuilder();
    private long rows;

    /** @param written indices of the fields */
    public MetadataJson(FileSet set, List<Integer> written, PartFiles files) throws IOException {
        this.schema = set.schema();
        this.written = List.copyOf(written);
        this.file = new CountedFile(files, path(set));
    }

    public static String path(FileSet set) {
        return set.split() + "_metadata.json";
    }

    public void row(FormatRow row) throws IOException {
        line.clear();
        line.putAscii(rows++ == 0 ? "[\n" : ",\n");
        MetadataColumns.append(row, schema, written, line);
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
}
