package io.rankfeed.spark.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.NotEmpty;
import io.rankfeed.schema.config.OneOf;
import io.rankfeed.schema.config.Range;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * One source table: exactly one of the first six says where it is.
 *
 * @param parquet a folder of Parquet files, or one
 * @param hive {@code db.table}
 * @param delta a Delta table's folder
 * @param jsonl a folder of JSON lines, or one file; {@code .gz} too
 * @param binary a folder of files
 * @param petastorm a Petastorm dataset's folder
 * @param partitions types of the columns that folders of a Parquet source are named by; others are strings
 * @param columns only these; empty for all
 * @param where a Spark SQL condition
 * @param version of a Delta table; without it the latest
 * @param timestamp of a Delta table: the version that was the latest then
 * @param schema DDL of a JSONL source; without it the schema is inferred
 * @param line of a JSONL source: name of a column for the number of the line, from 0
 * @param glob of a binary source: which file names
 * @param metadata of a JSONL source of one file: a JSON file that says something of each of its lines
 * @param read which lines of a JSONL source with metadata
 * @param draw of a JSONL source with metadata: a list of lines as another project draws it
 */
@OneOf({"parquet", "hive", "delta", "jsonl", "binary", "petastorm"})
public record SourceSection(
        Optional<String> parquet,
        Optional<String> hive,
        Optional<String> delta,
        Optional<String> jsonl,
        Optional<String> binary,
        Optional<String> petastorm,
        @Default("{}") Map<String, PartitionType> partitions,
        @Default("[]") @NotEmpty List<String> columns,
        Optional<String> where,
        @Range(min = 0) Optional<Long> version,
        Optional<String> timestamp,
        Optional<String> schema,
        Optional<String> line,
        Optional<String> glob,
        Optional<String> metadata,
        @Default("all") Read read,
        Optional<DrawSection> draw) {
    private static final DateTimeFormatter SPARK_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

    /** All lines, or those alone that the job's feeds choose by the metadata. */
    public enum Read {
        ALL,
        CHOSEN
    }

    /** The type of the values of a partition column. */
    public enum PartitionType {
        STRING,
        BOOLEAN,
        INT,
        BIGINT
    }

    /** What a source may be; the lower-case name is the key in the job file. */
    public enum Kind {
        PARQUET,
        HIVE,
        DELTA,
        JSONL,
        BINARY,
        PETASTORM
    }

    public SourceSection {
        refuseUnless(parquet.isPresent() || partitions.isEmpty(), "partitions", "parquet");
        refuseUnless(delta.isPresent() || version.isEmpty(), "version", "delta");
        refuseUnless(delta.isPresent() || timestamp.isEmpty(), "timestamp", "delta");
        refuseUnless(jsonl.isPresent() || schema.isEmpty(), "schema", "jsonl");
        refuseUnless(jsonl.isPresent() || line.isEmpty(), "line", "jsonl");
        if (line.isPresent() && metadata.isPresent()) {
            throw new BadValue("line", "excludes metadata");
        }
        refuseUnless(binary.isPresent() || glob.isEmpty(), "glob", "binary");
        refuseUnless(jsonl.isPresent() || metadata.isEmpty(), "metadata", "jsonl");
        refuseWithoutMetadata(metadata.isPresent() || read == Read.ALL, "read");
        refuseWithoutMetadata(metadata.isPresent() || draw.isEmpty(), "draw");
        if (draw.isPresent() && read == Read.CHOSEN) {
            throw new BadValue("read", "chosen excludes 'draw', which chooses the lines itself; leave one out");
        }
        if (read == Read.CHOSEN && where.isPresent()) {
            throw new BadValue(
                    "where", "excludes read: chosen, which knows the metadata alone; move it to where of the feeds");
        }
        timestamp.ifPresent(SourceSection::inUtc);
        if (version.isPresent() && timestamp.isPresent()) {
            throw new BadValue("timestamp", "and version both name a version; keep one of them");
        }
        parquet.ifPresent(path -> refuseUnlessPath("parquet", path));
        delta.ifPresent(path -> refuseUnlessPath("delta", path));
        jsonl.ifPresent(path -> refuseUnlessPath("jsonl", path));
        binary.ifPresent(path -> refuseUnlessPath("binary", path));
        petastorm.ifPresent(path -> refuseUnlessPath("petastorm", path));
        metadata.ifPresent(path -> refuseUnlessPath("metadata", path));
    }

    public Kind kind() {
        if (parquet.isPresent()) {
            return Kind.PARQUET;
        } else if (hive.isPresent()) {
            return Kind.HIVE;
        } else if (delta.isPresent()) {
            return Kind.DELTA;
        } else if (petastorm.isPresent()) {
            return Kind.PETASTORM;
        }
        return jsonl.isPresent() ? Kind.JSONL : Kind.BINARY;
    }

    /** The path, or a Hive table's name. */
    public String location() {
        return parquet.or(() -> hive)
                .or(() -> delta)
                .or(() -> jsonl)
                .or(() -> binary)
                .or(() -> petastorm)
                .orElseThrow();
    }

    /** As Spark reads it in a session whose zone is UTC. */
    public Optional<String> timestampInUtc() {
        return timestamp.map(SourceSection::inUtc);
    }

    private static String inUtc(String timestamp) {
        try {
            return SPARK_TIME.format(
                    OffsetDateTime.parse(timestamp.replace(' ', 'T')).withOffsetSameInstant(ZoneOffset.UTC));
        } catch (DateTimeParseException e) {
            throw new BadValue(
                    "timestamp",
                    "'" + timestamp + "' is not a time with its zone; write it as 2026-01-31T12:00:00Z or"
                            + " 2026-01-31T12:00:00+01:00");
        }
    }

    /** As Hadoop reads paths: what is before a colon, and no "/", is a scheme. */
    static void refuseUnlessPath(String key, String written) {
        try {
            new Path(written);
        } catch (IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage()).replaceFirst("^java\\.net\\.\\w+: ", "");
            throw new BadValue(key, "'" + written + "' is not a path: " + why);
        }
    }

    private static void refuseWithoutMetadata(boolean fits, String key) {
        if (!fits) {
            throw new BadValue(key, "is only for a source with metadata:, the JSON file next to its lines");
        }
    }

    private static void refuseUnless(boolean fits, String key, String kind) {
        if (!fits) {
            throw new BadValue(key, "is only for a " + kind + " source");
        }
    }
}
