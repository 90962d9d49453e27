package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.NotEmpty;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.config.WrittenShort;
import io.rankfeed.schema.order.OrderLimits;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A format of the exported rows.
 *
 * @param shardRows maximum rows of a file; empty for a number that follows from the size of the rows
 * @param shardBytes maximum bytes of a file, empty for no limit
 * @param ranks a folder for each rank; empty for one folder with the rows of all
 * @param columns which exported columns; empty for all
 * @param options those of the format, by name
 */
@WrittenShort("format")
public record FormatSection(
        Name format,
        @Range(min = 1, max = 1 << 30) Optional<Integer> shardRows,

        @Range(min = 1, max = 1L << 40) Optional<ByteSize> shardBytes,

        @Range(min = 1, max = OrderLimits.MAX_LANES) Optional<Integer> ranks,
        @Default("[]") @NotEmpty List<String> columns,
        @Default("{}") Map<String, String> options) {
    /** The formats. */
    public enum Name {
        LANES,
        ENN,
        HUGGINGFACE,
        IMAGE_MMAP,
        LMDB,
        MDS,
        MEGATRON,
        TFRECORD,
        WEBDATASET;

        /** The name in a job file, and of the writer. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The format that every export has. */
    static FormatSection lanes() {
        return new FormatSection(Name.LANES, Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Map.of());
    }

    public FormatSection {
        boolean isBare = shardRows.isEmpty()
                && shardBytes.isEmpty()
                && ranks.isEmpty()
                && columns.isEmpty()
                && options.isEmpty();
        if (format == Name.LANES && !isBare) {
            throw new BadValue(
                    "format", "lanes has no keys here; export.columns, batch-rows and shard-rows are those of lanes");
        }
        for (String column : columns) {
            if (columns.indexOf(column) != columns.lastIndexOf(column)) {
                throw new BadValue("columns", "'" + column + "' is listed twice; write it once");
            }
        }
    }
}
