package io.rankfeed.spark.job;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One source table.
 *
 * @param kind where it lies
 * @param location a path, or the table's name for {@link Kind#HIVE}
 * @param columns only these; empty for all
 * @param where a Spark SQL condition
 * @param version of a Delta table; without it the latest
 * @param schema DDL of a JSONL source; without it the schema is inferred
 * @param glob of a binary source: which file names
 */
public record SourceSection(
        Kind kind,
        String location,
        List<String> columns,
        Optional<String> where,
        OptionalLong version,
        Optional<String> schema,
        Optional<String> glob) {
    /** What a source may be; the lower-case name is the key in the job file. */
    public enum Kind {
        PARQUET,
        HIVE,
        DELTA,
        JSONL,
        BINARY
    }
}
