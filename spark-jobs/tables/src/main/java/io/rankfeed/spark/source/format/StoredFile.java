package io.rankfeed.spark.source.format;

import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.ColumnedFile;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.types.DataType;

/**
 * The properties of the rows that a file states.
 *
 * @param types in Spark, of the columns that have one
 * @param rows empty where only reading them shows how many there are
 */
public record StoredFile(SourceFile file, List<Column> columns, Map<String, DataType> types, OptionalLong rows)
        implements ColumnedFile {
    @Override
    public Object sameColumns() {
        return List.of(columns, types);
    }
}
