package io.rankfeed.spark.source.format;

import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.ColumnedFile;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataType;

/**
 * What a file states of its rows.
 *
 * @param types in Spark, of the columns that have one
 */
public record StoredFile(SourceFile file, List<Column> columns, Map<String, DataType> types, long rows)
        implements ColumnedFile {}
