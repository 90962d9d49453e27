package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.NotEmpty;
import io.rankfeed.schema.config.Range;
import java.util.List;

/**
 * The columns and file sizes of the exported caches.
 *
 * @param columns which prepared columns; empty for all
 * @param batchRows rows per Arrow record batch
 * @param shardRows rows per file, a multiple of {@code batchRows}
 */
public record ExportSection(
        @Default("[]") @NotEmpty List<String> columns,
        @Default("1024") @Range(min = 1, max = 1 << 24) int batchRows,
        @Default("1048576") @Range(min = 1, max = 1 << 30) int shardRows) {
    public ExportSection {
        if (shardRows % batchRows != 0) {
            throw new BadValue("shard-rows", shardRows + " is not a multiple of batch-rows (" + batchRows + ")");
        }
        for (String column : columns) {
            if (columns.indexOf(column) != columns.lastIndexOf(column)) {
                throw new BadValue("columns", "'" + column + "' is listed twice; write it once");
            }
        }
    }
}
