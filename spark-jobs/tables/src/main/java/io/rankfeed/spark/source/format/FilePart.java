package io.rankfeed.spark.source.format;

import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A file that a task reads.
 *
 * @param columns of the table that it has
 * @param folders the values of its partition columns
 */
record FilePart(String file, Set<String> columns, Map<String, @Nullable Object> folders) implements Serializable {
    static FilePart of(StoredFile stored, List<String> columns, StructType partitions, List<@Nullable Object> values) {
        Map<String, @Nullable Object> folders = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            folders.put(partitions.fieldNames()[i], values.get(i));
        }
        return new FilePart(
                stored.file().path().toString(),
                stored.columns().stream()
                        .map(Column::name)
                        .filter(columns::contains)
                        .collect(Collectors.toSet()),
                folders);
    }

    /** Returns the value of {@link RowAddress#FILE} for the rows of the part. */
    String address() {
        return RowAddress.of(new Path(file));
    }
}
