package io.rankfeed.spark.job;

import java.util.List;

/**
 * How the caches are cut.
 *
 * @param columns which prepared columns; empty for all
 * @param batchRows rows per Arrow record batch
 * @param shardRows rows per file, a multiple of {@code batchRows}
 */
public record ExportSection(List<String> columns, int batchRows, int shardRows) {}
