package io.rankfeed.job;

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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A source table. Exactly one of the first sixteen keys gives its location.
 *
 * @param parquet a folder of Parquet files, or one
 * @param hive {@code db.table}
 * @param delta a Delta table's folder
 * @param orc a folder of ORC files, or one
 * @param avro a folder of Avro files, or one
 * @param csv a folder of CSV files, or one; {@code .gz} too
 * @param arrow a folder of Arrow or Feather files, or one: what {@code datasets} saves
 * @param jsonl a folder of JSON lines, or one file; {@code .gz} too
 * @param text a folder of text files, or one: a row per line; {@code .gz} too
 * @param binary a folder of files
 * @param petastorm a Petastorm dataset's folder
 * @param webdataset a folder of tar files of WebDataset, or one; {@code .gz} too
 * @param tfrecord a folder of TFRecord files of {@code tf.train.Example}, or one; {@code .gz} too
 * @param huggingface the folder of a split that {@code datasets.save_to_disk} wrote
 * @param mds the folder of a split of MDS, with its {@code index.json}
 * @param lmdb a folder of environments of LMDB, or the file of one
 * @param partitions types of the columns that folders are named by; others are strings
 * @param columns only these; empty for all
 * @param where a Spark SQL condition
 * @param version of a Delta table; without it the latest
 * @param timestamp of a Delta table: the version that was the latest then
 * @param schema DDL of a JSONL or CSV source; without it the schema is inferred, or all columns of CSV are strings
 * @param header of a CSV source: whether the first line of each file names its columns
 * @param delimiter of a CSV source: the character between values
 * @param line of a JSONL source: name of a column for the number of the line, from 0
 * @param glob of a binary source: which file names
 * @param metadata of a JSONL source of one file: a JSON file that says something of each of its lines
 * @param read which lines of a JSONL source with metadata
 * @param draw of a JSONL source with metadata: a list of lines as another project draws it
 */
@OneOf({
    "parquet",
    "hive",
    "delta",
    "orc",
    "avro",
    "csv",
    "arrow",
    "jsonl",
    "text",
    "binary",
    "petastorm",
    "webdataset",
    "tfrecord",
    "huggingface",
    "mds",
    "lmdb"
})
public record SourceSection(
        Optional<String> parquet,
        Optional<String> hive,
        Optional<String> delta,
        Optional<String> orc,
        Optional<String> avro,
        Optional<String> csv,
        Optional<String> arrow,
        Optional<String> jsonl,
        Optional<String> text,
        Optional<String> binary,
        Optional<String> petastorm,
        Optional<String> webdataset,
        Optional<String> tfrecord,
        Optional<String> huggingface,
        Optional<String> mds,
        Optional<String> lmdb,
        @Default("{}") Map<String, PartitionType> partitions,
        @Default("[]") @NotEmpty List<String> columns,
        Optional<String> where,
        @Range(min = 0) Optional<Long> version,
        Optional<String> timestamp,
        Optional<String> schema,
        Optional<Boolean> header,
        Optional<String> delimiter,
        Optional<String> line,
        Optional<String> glob,
        Optional<String> metadata,
        @Default("all") Read read,
        Optional<DrawSection> draw) {
    /** Keys that say where and in which version data is: the input's identity has its content. */
    public static final List<String> IN_IDENTITY = List.of(
            "parquet",
            "delta",
            "orc",
            "avro",
            "csv",
            "arrow",
            "jsonl",
            "text",
            "binary",
            "petastorm",
            "webdataset",
            "tfrecord",
            "huggingface",
            "mds",
            "lmdb",
            "metadata",
            "version",
            "timestamp");

    private static final DateTimeFormatter SPARK_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

    /** Which lines are read: all, or only those that the job's feeds choose by the metadata. */
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

    /** The kinds of sources. The name in lower case is the key in the job file. */
    public enum Kind {
        PARQUET,
        HIVE,
        DELTA,
        ORC,
        AVRO,
        CSV,
        ARROW,
        JSONL,
        TEXT,
        BINARY,
        PETASTORM,
        WEBDATASET,
        TFRECORD,
        HUGGINGFACE,
        MDS,
        LMDB;

        /** The key in the job file. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final List<Kind> WITH_PARTITIONS =
            List.of(Kind.PARQUET, Kind.ORC, Kind.AVRO, Kind.CSV, Kind.ARROW, Kind.WEBDATASET, Kind.TFRECORD);

    public SourceSection {
        // The fields are assigned after this.
        Map.Entry<Kind, String> given = given(List.of(
                parquet,
                hive,
                delta,
                orc,
                avro,
                csv,
                arrow,
                jsonl,
                text,
                binary,
                petastorm,
                webdataset,
                tfrecord,
                huggingface,
                mds,
                lmdb));
        refuseUnless(
                WITH_PARTITIONS.contains(given.getKey()) || partitions.isEmpty(),
                "partitions",
                "parquet, orc, avro, csv, arrow, webdataset or tfrecord");
        refuseUnless(delta.isPresent() || version.isEmpty(), "version", "delta");
        refuseUnless(delta.isPresent() || timestamp.isEmpty(), "timestamp", "delta");
        refuseUnless(jsonl.isPresent() || csv.isPresent() || schema.isEmpty(), "schema", "jsonl or csv");
        refuseUnless(csv.isPresent() || header.isEmpty(), "header", "csv");
        refuseUnless(csv.isPresent() || delimiter.isEmpty(), "delimiter", "csv");
        if (header.equals(Optional.of(false)) && schema.isEmpty()) {
            throw new BadValue("header", "false requires schema: with the columns in the order of the files");
        }
        if (delimiter.isPresent() && !delimiter.get().matches("[\\x00-\\x7F&&[^\"\\r\\n]]")) {
            throw new BadValue("delimiter", "'" + delimiter.get() + "' is not one ASCII character other than a quote");
        }
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
        if (given.getKey() != Kind.HIVE) {
            WrittenPath.of(given.getKey().key(), given.getValue());
        }
        metadata.ifPresent(path -> WrittenPath.of("metadata", path));
    }

    public Kind kind() {
        return given().getKey();
    }

    /** The path, or a Hive table's name. */
    public String location() {
        return given().getValue();
    }

    private Map.Entry<Kind, String> given() {
        return given(List.of(
                parquet,
                hive,
                delta,
                orc,
                avro,
                csv,
                arrow,
                jsonl,
                text,
                binary,
                petastorm,
                webdataset,
                tfrecord,
                huggingface,
                mds,
                lmdb));
    }

    /** @param locations in the order of {@link Kind} */
    private static Map.Entry<Kind, String> given(List<Optional<String>> locations) {
        List<Kind> kinds = List.of(Kind.values());
        return IntStream.range(0, kinds.size())
                .filter(i -> locations.get(i).isPresent())
                .mapToObj(i -> Map.entry(kinds.get(i), locations.get(i).get()))
                .findFirst()
                .orElseThrow();
    }

    /** The timestamp as Spark reads it in a session whose time zone is UTC. */
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
