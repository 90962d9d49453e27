package io.rankfeed.spark.engine.parquet;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;

/** The columns that Spark's vectorized reader cannot read, and its reader of rows can. */
public final class RowDecoded implements Serializable {
    public static final RowDecoded NONE = new RowDecoded(Set.of());

    private static final long serialVersionUID = 1L;

    private final HashSet<String> columns = new HashSet<>();

    /** @param columns of the top level; names are case-insensitive, as in Spark */
    public RowDecoded(Set<String> columns) {
        columns.forEach(column -> this.columns.add(column.toLowerCase(Locale.ROOT)));
    }

    /** The names of a file's columns of this kind. */
    public static Set<String> of(List<BlockMetaData> blocks) {
        Set<String> columns = new HashSet<>();
        for (BlockMetaData block : blocks) {
            for (ColumnChunkMetaData chunk : block.getColumns()) {
                if (block.getRowCount() > 0 && isUnknown(chunk)) {
                    columns.add(chunk.getPath().toArray()[0]);
                }
            }
        }
        return Set.copyOf(columns);
    }

    /** Spark 4.2 has no vectorized reader of this encoding. */
    private static boolean isUnknown(ColumnChunkMetaData chunk) {
        return chunk.getEncodings().contains(Encoding.BYTE_STREAM_SPLIT);
    }

    boolean anyOf(StructType read) {
        return Arrays.stream(read.fieldNames()).anyMatch(column -> columns.contains(column.toLowerCase(Locale.ROOT)));
    }

    /** A session that differs in nothing but the reader. */
    static SparkSession session(SparkSession spark) {
        SparkSession rows = ((org.apache.spark.sql.classic.SparkSession) spark).cloneSession();
        rows.conf().set(SQLConf.PARQUET_VECTORIZED_READER_ENABLED().key(), "false");
        return rows;
    }
}
