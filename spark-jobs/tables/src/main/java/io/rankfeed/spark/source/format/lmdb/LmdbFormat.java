package io.rankfeed.spark.source.format.lmdb;

import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.RowFormat;
import io.rankfeed.spark.source.format.StoredFile;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** Environments of LMDB: the columns are {@code key} and {@code value}, and the rows are in the order of the keys. */
public record LmdbFormat() implements RowFormat {
    private static final String KEY = "key";
    private static final String VALUE = "value";

    @Override
    public StoredFile stored(SourceFile file, Configuration conf) throws IOException {
        try (LmdbFile environment = LmdbFile.open(file.path(), conf)) {
            return new StoredFile(
                    file,
                    List.of(new Column(KEY, "bytes", true), new Column(VALUE, "bytes", true)),
                    Map.of(KEY, DataTypes.BinaryType, VALUE, DataTypes.BinaryType),
                    OptionalLong.of(environment.entries()));
        }
    }

    @Override
    public FileRows rows(String file, List<String> columns, Configuration conf) {
        LmdbFile environment = LmdbFile.open(new Path(file), conf);
        boolean hasValues = columns.contains(VALUE);
        return new FileRows() {
            @Override
            public @Nullable Object @Nullable [] next() {
                if (!environment.next()) {
                    return null;
                }
                byte[] key = environment.key();
                byte[] value = hasValues ? environment.value() : new byte[0];
                return columns.stream()
                        .map(column -> column.equals(KEY) ? key : value)
                        .toArray();
            }

            @Override
            public void close() throws IOException {
                environment.close();
            }
        };
    }
}
