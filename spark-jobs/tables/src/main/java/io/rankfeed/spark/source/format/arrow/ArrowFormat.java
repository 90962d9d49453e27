package io.rankfeed.spark.source.format.arrow;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.RowFormat;
import io.rankfeed.spark.source.format.StoredFile;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.DataType;

/**
 * Arrow IPC files (Feather version 2) and IPC streams, uncompressed or with buffers in LZ4 or ZSTD. Timestamps with a time zone are
 * {@code Instant}, others {@code LocalDateTime}, dates {@code LocalDate}.
 */
public final class ArrowFormat implements RowFormat {
    private static final long serialVersionUID = 1L;

    @Override
    public StoredFile stored(SourceFile file, Configuration conf) throws IOException {
        try (IpcFile ipc = IpcFile.open(file.path(), conf)) {
            return new StoredFile(
                    file,
                    ipc.fields().stream()
                            .map(field -> new Column(field.name(), field.words(), !field.nullable()))
                            .toList(),
                    types(ipc.fields()),
                    OptionalLong.of(ipc.rows()));
        }
    }

    /** A name of two columns has no type, because it does not say which is meant. */
    private static Map<String, DataType> types(List<ArrowField> fields) {
        Map<String, DataType> types = new LinkedHashMap<>();
        for (ArrowField field : fields) {
            DataType type = field.spark();
            boolean isUnique = fields.stream()
                            .filter(other -> other.name().equals(field.name()))
                            .count()
                    == 1;
            if (type != null && isUnique) {
                types.put(field.name(), type);
            }
        }
        return types;
    }

    @Override
    public FileRows rows(String file, List<String> columns, Configuration conf) throws IOException {
        IpcFile ipc = IpcFile.open(new Path(file), conf);
        try {
            Map<String, DataType> types = types(ipc.fields());
            return new ArrowRows(
                    ipc,
                    columns.stream()
                            .map(column -> ipc.fields().stream()
                                    .filter(field -> types.containsKey(column)
                                            && field.name().equals(column))
                                    .findFirst()
                                    .orElseThrow(() -> new CorruptDataException(
                                            file, "column '" + column + "' is missing; the file changed")))
                            .toList());
        } catch (RuntimeException e) {
            ipc.close();
            throw e;
        }
    }
}
