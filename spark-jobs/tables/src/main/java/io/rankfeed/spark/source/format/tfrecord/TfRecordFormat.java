package io.rankfeed.spark.source.format.tfrecord;

import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.RowFormat;
import io.rankfeed.spark.source.format.StoredFile;
import io.rankfeed.spark.source.format.tfrecord.Feature.Kind;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * TFRecord files of {@code tf.train.Example}, plain or in gzip. A feature that has one value wherever it occurs is that value, others are
 * lists.
 *
 * @param lists the columns that are lists
 */
public record TfRecordFormat(Set<String> lists) implements RowFormat {
    /** The format of files whose types are not known. */
    public TfRecordFormat() {
        this(Set.of());
    }

    @Override
    public boolean isScanned() {
        return true;
    }

    @Override
    public RowFormat reading(StructType columns) {
        return new TfRecordFormat(Arrays.stream(columns.fields())
                .filter(column -> column.dataType() instanceof ArrayType)
                .map(StructField::name)
                .collect(Collectors.toSet()));
    }

    /** What a file has of a feature. */
    private static final class Found {
        private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        private boolean isList;

        private void add(Feature feature) {
            kinds.add(feature.kind());
            isList = isList || !feature.isScalar();
        }

        private String words() {
            return kinds.stream().map(Kind::words).collect(Collectors.joining(" and "));
        }

        private @Nullable DataType type() {
            if (kinds.size() > 1) {
                return null;
            }
            DataType value = kinds.iterator().next().type();
            return isList ? DataTypes.createArrayType(value, false) : value;
        }
    }

    @Override
    public StoredFile stored(SourceFile file, Configuration conf) throws IOException {
        Map<String, Found> found = new TreeMap<>();
        try (RecordFile records = new RecordFile(file.path().toString(), conf)) {
            for (Map<String, Feature> row = records.next(); row != null; row = records.next()) {
                for (Map.Entry<String, Feature> feature : row.entrySet()) {
                    try {
                        found.computeIfAbsent(feature.getKey(), name -> new Found())
                                .add(feature.getValue());
                    } catch (BadValue e) {
                        throw records.refused(e, feature.getKey());
                    }
                }
            }
            Map<String, DataType> types = new HashMap<>();
            found.forEach((name, feature) -> {
                DataType type = feature.type();
                if (type != null) {
                    types.put(name, type);
                }
            });
            List<Column> columns = found.entrySet().stream()
                    .map(feature ->
                            new Column(feature.getKey(), feature.getValue().words(), false))
                    .toList();
            return new StoredFile(file, columns, types, OptionalLong.of(records.rows()));
        }
    }

    @Override
    public FileRows rows(String file, List<String> columns, Configuration conf) {
        RecordFile records = new RecordFile(file, conf);
        return new FileRows() {
            @Override
            public @Nullable Object @Nullable [] next() {
                Map<String, Feature> row = records.next();
                if (row == null) {
                    return null;
                }
                @Nullable Object[] values = new @Nullable Object[columns.size()];
                for (int i = 0; i < values.length; i++) {
                    String column = columns.get(i);
                    Feature feature = row.get(column);
                    try {
                        values[i] = feature == null ? null : feature.value(lists.contains(column));
                    } catch (BadValue e) {
                        throw records.refused(e, column);
                    }
                }
                return values;
            }

            @Override
            public void close() throws IOException {
                records.close();
            }
        };
    }
}
