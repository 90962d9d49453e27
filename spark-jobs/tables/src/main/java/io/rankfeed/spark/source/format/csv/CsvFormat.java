package io.rankfeed.spark.source.format.csv;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.RowFormat;
import io.rankfeed.spark.source.format.StoredFile;
import io.rankfeed.spark.source.jsonl.GzipMembers;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * CSV files.
 *
 * @param schema the columns that are read; null: all of the header, as strings
 * @param header whether the first record of a file names its columns; otherwise they are those of the schema
 * @param delimiter one character; empty: a tab in files named {@code .tsv}, a comma in others
 */
record CsvFormat(@Nullable StructType schema, boolean header, String delimiter) implements RowFormat {
    @Override
    public StoredFile stored(SourceFile file, Configuration conf) throws IOException {
        try (CsvRecords records = open(file.path().toString(), conf)) {
            List<Column> columns = new ArrayList<>();
            Map<String, DataType> types = new HashMap<>();
            for (@Nullable StructField column : columns(file.path().toString(), records)) {
                if (column != null) {
                    columns.add(new Column(column.name(), column.dataType().sql(), !column.nullable()));
                    types.put(column.name(), column.dataType());
                }
            }
            return new StoredFile(file, columns, types, OptionalLong.empty());
        } catch (GzipMembers.CorruptedException e) {
            throw new CorruptDataException(file.path().toString(), String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public FileRows rows(String file, List<String> columns, Configuration conf) throws IOException {
        CsvRecords records = open(file, conf);
        try {
            return new CsvRows(file, records, columns(file, records), columns);
        } catch (IOException | RuntimeException e) {
            records.close();
            throw e;
        }
    }

    private CsvRecords open(String file, Configuration conf) throws IOException {
        Path path = new Path(file);
        InputStream in = Storage.of(path, conf).open(path);
        try {
            return new CsvRecords(file.endsWith(".gz") ? new GzipMembers(in) : in, delimiter(file));
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    private char delimiter(String file) {
        if (!delimiter.isEmpty()) {
            return delimiter.charAt(0);
        }
        return file.matches(".*\\.tsv(\\.gz)?") ? '\t' : ',';
    }

    /** The columns of a file by index; null for those that are not read. Reads the header. */
    private List<@Nullable StructField> columns(String file, CsvRecords records) throws IOException {
        if (!header) {
            return Arrays.asList(Objects.requireNonNull(schema).fields());
        }
        CsvRecords.Found first = records.next();
        if (first == null) {
            return List.of();
        } else if (first.fault() != null) {
            throw new CorruptDataException(file + ":" + (first.line() + 1), "the header: " + first.fault());
        }
        List<@Nullable StructField> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String name : first.values()) {
            // pandas writes its index as a column without a name.
            if (name != null && !name.isEmpty() && !names.add(name)) {
                throw new ConfigException(file + ":" + (first.line() + 1) + ": the header names '" + name
                        + "' twice; rename one of the columns, or write header: false and schema:");
            }
            columns.add(name == null || name.isEmpty() ? null : column(name));
        }
        return columns;
    }

    private @Nullable StructField column(String name) {
        if (schema == null) {
            return DataTypes.createStructField(name, DataTypes.StringType, true);
        }
        return Arrays.stream(schema.fields())
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
