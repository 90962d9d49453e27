package io.rankfeed.spark.source.open;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.parquet.column.statistics.IntStatistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** The range of the numbers of a column of INT32: by the statistics of its chunks; without statistics, by its type. */
record IntRange(long min, long max) {
    /** Returns the ranges of the columns of INT32 that are not in other columns, by name. */
    static Map<String, IntRange> of(List<BlockMetaData> blocks) {
        Map<String, IntRange> ranges = new TreeMap<>();
        for (BlockMetaData block : blocks) {
            for (ColumnChunkMetaData chunk : block.getColumns()) {
                boolean isInt = chunk.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT32;
                if (block.getRowCount() > 0 && isInt && chunk.getPath().size() == 1) {
                    ranges.merge(chunk.getPath().toArray()[0], of(chunk), IntRange::with);
                }
            }
        }
        return ranges;
    }

    private static IntRange of(ColumnChunkMetaData chunk) {
        IntLogicalTypeAnnotation type =
                chunk.getPrimitiveType().getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation annotated
                        ? annotated
                        : null;
        boolean isSigned = type == null || type.isSigned();
        if (chunk.getStatistics() instanceof IntStatistics known && known.hasNonNullValue()) {
            return isSigned
                    ? new IntRange(known.getMin(), known.getMax())
                    : new IntRange(Integer.toUnsignedLong(known.getMin()), Integer.toUnsignedLong(known.getMax()));
        } else if (chunk.getStatistics().getNumNulls() == chunk.getValueCount()) {
            return new IntRange(0, 0);
        }
        int bits = type == null ? Integer.SIZE : type.getBitWidth();
        return isSigned ? new IntRange(-(1L << (bits - 1)), (1L << (bits - 1)) - 1) : new IntRange(0, (1L << bits) - 1);
    }

    private IntRange with(IntRange other) {
        return new IntRange(Math.min(min, other.min), Math.max(max, other.max));
    }

    boolean isWithin(long from, long to) {
        return min >= from && max <= to;
    }
}
