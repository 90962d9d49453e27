package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.NotEmpty;
import io.rankfeed.schema.config.Range;
import java.util.List;

/**
 * The columns and file sizes of the exported caches, and the other formats of their rows.
 *
 * @param columns which prepared columns; empty for all
 * @param batchRows rows per Arrow record batch
 * @param shardRows rows per file, a multiple of {@code batchRows}
 * @param formats lanes, and others; each entry once
 */
public record ExportSection(
        @Default("[]") @NotEmpty List<String> columns,
        @Default("1024") @Range(min = 1, max = 1 << 24) int batchRows,
        @Default("1048576") @Range(min = 1, max = 1 << 30) int shardRows,
        @Default("[lanes]") List<FormatSection> formats) {
    public ExportSection {
        if (shardRows % batchRows != 0) {
            throw new BadValue("shard-rows", shardRows + " is not a multiple of batch-rows (" + batchRows + ")");
        }
        if (formats.stream().noneMatch(entry -> entry.format() == FormatSection.Name.LANES)) {
            throw new BadValue("formats", "lacks lanes, from which the other formats are written; write [lanes, …]");
        }
        for (FormatSection format : formats) {
            if (formats.indexOf(format) != formats.lastIndexOf(format)) {
                throw new BadValue(
                        "formats",
                        "'" + format.format().word() + "' is listed twice with the same keys; write it once");
            }
        }
        for (String column : columns) {
            if (columns.indexOf(column) != columns.lastIndexOf(column)) {
                throw new BadValue("columns", "'" + column + "' is listed twice; write it once");
            }
        }
    }

    /** Lanes alone. */
    public ExportSection(List<String> columns, int batchRows, int shardRows) {
        this(columns, batchRows, shardRows, List.of(FormatSection.lanes()));
    }

    /** The formats other than lanes. */
    public List<FormatSection> otherFormats() {
        return formats.stream()
                .filter(entry -> entry.format() != FormatSection.Name.LANES)
                .toList();
    }
}
