package io.rankfeed.spark.source.format.avro;

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
import org.apache.avro.Schema.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.DataType;

/**
 * Avro object container files, plain or in deflate, snappy, zstandard or bzip2. Timestamps are {@code Instant}, local ones
 * {@code LocalDateTime}, dates {@code LocalDate}; times are their number.
 */
public final class AvroFormat implements RowFormat {
    private static final long serialVersionUID = 1L;

    @Override
    public StoredFile stored(SourceFile file, Configuration conf) throws IOException {
        try (AvroFile avro = AvroFile.open(file.path(), conf)) {
            Map<String, DataType> types = new LinkedHashMap<>();
            for (Field field : avro.schema().getFields()) {
                DataType type = AvroTypes.inSpark(field.schema());
                if (type != null) {
                    types.put(field.name(), type);
                }
            }
            return new StoredFile(
                    file,
                    avro.schema().getFields().stream()
                            .map(field -> new Column(
                                    field.name(),
                                    AvroTypes.words(field.schema()),
                                    !field.schema().isNullable()))
                            .toList(),
                    types,
                    OptionalLong.of(avro.rows()));
        }
    }

    @Override
    public FileRows rows(String file, List<String> columns, Configuration conf) throws IOException {
        AvroFile avro = AvroFile.open(new Path(file), conf);
        try {
            for (String column : columns) {
                if (avro.schema().getField(column) == null) {
                    throw new CorruptDataException(file, "column '" + column + "' is missing; the file changed");
                }
            }
            return new AvroRows(avro, columns);
        } catch (RuntimeException e) {
            avro.close();
            throw e;
        }
    }
}
