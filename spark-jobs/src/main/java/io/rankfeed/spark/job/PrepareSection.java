package io.rankfeed.spark.job;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the sources become.
 *
 * @param sql one query over the views of the sources ({@code select:} is turned into it)
 * @param key the columns that identify a row; empty where its address in the source does
 * @param blockBytes size that no row group, with its footer, exceeds
 * @param compression of the Parquet pages
 * @param tensors dtype and shape of list columns by name, where they differ from what their type says
 * @param register {@code db.table} to create over the result
 */
public record PrepareSection(
        String sql,
        List<String> key,
        long blockBytes,
        Compression compression,
        Map<String, TensorSection> tensors,
        Optional<String> register) {
    /** Of Parquet pages; the lower-case name is the value in the job file. */
    public enum Compression {
        ZSTD,
        SNAPPY,
        NONE
    }
}
