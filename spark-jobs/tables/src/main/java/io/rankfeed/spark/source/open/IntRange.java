package io.rankfeed.spark.source.open;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.column.statistics.IntStatistics;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * The range of the numbers of a column of INT32 or unsigned INT64: by the statistics of its chunks; without statistics, by its
 * type.
 *
 * @param min -1 if numbers can be above the maximum of a long
 */
record IntRange(long min, long max) {
    private static final IntRange ABOVE_LONG = new IntRange(-1, Long.MAX_VALUE);

    /** Returns the ranges of such columns at any depth, by their paths. */
    static Map<ColumnPath, IntRange> of(List<BlockMetaData> blocks) {
        Map<ColumnPath, IntRange> ranges = new HashMap<>();
        for (BlockMetaData block : blocks) {
            for (ColumnChunkMetaData chunk : block.getColumns()) {
                PrimitiveType type = chunk.getPrimitiveType();
                boolean isInt = type.getPrimitiveTypeName() == PrimitiveTypeName.INT32;
                if (block.getRowCount() > 0 && (isInt || isUnsignedLong(type))) {
                    ranges.merge(
                            chunk.getPath(), of(chunk.getStatistics(), chunk.getValueCount(), type), IntRange::with);
                }
            }
        }
        return ranges;
    }

    static boolean isUnsignedLong(PrimitiveType type) {
        return type.getPrimitiveTypeName() == PrimitiveTypeName.INT64 && !isSigned(type);
    }

    private static IntRange of(Statistics<?> known, long values, PrimitiveType type) {
        if (known.hasNonNullValue() && known instanceof IntStatistics ints) {
            return isSigned(type)
                    ? new IntRange(ints.getMin(), ints.getMax())
                    : new IntRange(Integer.toUnsignedLong(ints.getMin()), Integer.toUnsignedLong(ints.getMax()));
        } else if (known.hasNonNullValue() && known instanceof LongStatistics longs) {
            return longs.getMax() < 0 ? ABOVE_LONG : new IntRange(longs.getMin(), longs.getMax());
        } else if (known.getNumNulls() == values) {
            return new IntRange(0, 0);
        } else if (isUnsignedLong(type)) {
            return ABOVE_LONG;
        }
        int bits = annotation(type).map(IntLogicalTypeAnnotation::getBitWidth).orElse(Integer.SIZE);
        return isSigned(type)
                ? new IntRange(-(1L << (bits - 1)), (1L << (bits - 1)) - 1)
                : new IntRange(0, (1L << bits) - 1);
    }

    private static boolean isSigned(PrimitiveType type) {
        return annotation(type).map(IntLogicalTypeAnnotation::isSigned).orElse(true);
    }

    private static Optional<IntLogicalTypeAnnotation> annotation(PrimitiveType type) {
        return Optional.ofNullable(type.getLogicalTypeAnnotation())
                .filter(IntLogicalTypeAnnotation.class::isInstance)
                .map(IntLogicalTypeAnnotation.class::cast);
    }

    private IntRange with(IntRange other) {
        return new IntRange(Math.min(min, other.min), Math.max(max, other.max));
    }

    boolean isWithin(long from, long to) {
        return min >= from && max <= to;
    }
}
