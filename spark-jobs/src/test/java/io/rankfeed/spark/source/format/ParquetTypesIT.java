package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Types and encodings that Spark's vectorized reader does not have, compared with the values of pyarrow (parquet_types.py). */
class ParquetTypesIT extends FormatJob {
    private static final Path FILES =
            Path.of("src/test/resources/parquet-types").toAbsolutePath();

    /** The SQL that docs/job-file/parquet.md gives for a column, where it is not the name. */
    private static final Map<String, String> CASTS = Map.of(
            "decimal9", "CAST(decimal9 AS STRING)",
            "decimal18", "CAST(decimal18 AS STRING)",
            "decimal38", "CAST(decimal38 AS STRING)",
            "day", "unix_date(day)",
            "at", "unix_micros(at)");

    /** All columns are read at once. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "split-2.0"})
    void values_equalThoseOfPyarrow(String name) throws IOException {
        Dataset<Row> read = source(name);
        JsonNode expected = expected();
        List<String> columns = Stream.of(read.columns()).filter(expected::has).toList();
        assertThat(columns).hasSize(read.columns().length - 3);
        compare(read, columns, expected);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"plain", "split-1.0", "split-2.0"})
    void everyColumn_readAlone_hasTheValuesOfPyarrow(String name) throws IOException {
        Dataset<Row> read = source(name);
        JsonNode expected = expected();
        for (String column : read.columns()) {
            if (expected.has(column)) {
                compare(read, List.of(column), expected);
            }
        }
    }

    private static JsonNode expected() throws IOException {
        return new ObjectMapper().readTree(FILES.resolve("expected.json").toFile());
    }

    private static void compare(Dataset<Row> read, List<String> columns, JsonNode expected) {
        List<Row> rows = read.orderBy("id")
                .selectExpr(columns.stream()
                        .map(column -> CASTS.getOrDefault(column, column))
                        .toArray(String[]::new))
                .collectAsList();
        for (int column = 0; column < columns.size(); column++) {
            List<@Nullable Object> wanted = new ArrayList<>();
            expected.get(columns.get(column)).forEach(value -> wanted.add(expected(value)));
            List<@Nullable Object> found = new ArrayList<>();
            for (Row row : rows) {
                found.add(text(row.get(column)));
            }
            assertThat(found).as(columns.get(column)).isEqualTo(wanted);
        }
    }

    @Test
    void lists_ofUnknownTypes_areRefusedInRowByRowDecoding() {
        assertRefused(
                "parquet: '" + FILES.resolve("split-lists.parquet") + "'",
                "select: {from: t}",
                ConfigException.class,
                "column 'halves' (type",
                "column 'times' (type",
                "column 'clocks' (type",
                "column 'nested' (type",
                "sources.t.columns");
        assertThat(prepare(
                                "parquet: '" + FILES.resolve("split-lists.parquet") + "', columns: [id, single]",
                                "select: {from: t}")
                        .manifest()
                        .rows())
                .isEqualTo(16);
    }

    @Test
    void encoding_ofLaterFile_isKnownBeforeTheJobReads() throws IOException {
        Path table = Files.createDirectory(folder.resolve("lists"));
        Files.copy(FILES.resolve("lists.parquet"), table.resolve("a.parquet"));
        assertThat(prepare(
                                "parquet: '" + table + "', columns: [id, halves]",
                                "sql: SELECT id, size(halves) AS n FROM t")
                        .manifest()
                        .rows())
                .isEqualTo(16);
        Files.copy(FILES.resolve("split-lists.parquet"), table.resolve("b.parquet"));
        assertRefused("parquet: '" + table + "'", "select: {from: t}", ConfigException.class, "column 'halves' (type");
    }

    @Test
    void preparedRows_haveTheValues() {
        PreparedTable table = prepare(
                "parquet: '" + FILES.resolve("split-1.0.parquet") + "', where: 'half > 1'",
                "sql: SELECT id, half, uuid, single FROM t");
        assertThat(rows(table)).hasSize(5).allSatisfy(row -> assertThat(row.<Float>getAs("half"))
                .isIn(65504f, Float.POSITIVE_INFINITY, Float.NaN));
    }

    @Test
    void rowsInPlace_withConvertedColumn_areRefused() {
        String source = "parquet: '" + FILES.resolve("split-1.0.parquet") + "'";
        assertRefused(
                source + ", columns: [id, half]",
                "rewrite: none",
                ConfigException.class,
                "column 'half' is fixed_len_byte_array(2) half (FLOAT16)",
                "remove prepare: none (rewrite: none)");
        assertThat(prepare(source + ", columns: [id, single]", "rewrite: none")
                        .manifest()
                        .rows())
                .isEqualTo(16);
    }

    /** Hadoop's LZ4 in parts: a page is longer than its buffer. The first pages are nulls. */
    @ParameterizedTest
    @ValueSource(strings = "PARQUET_2_0")
    void lz4InParts_isRead(WriterVersion version) throws IOException {
        List<@Nullable String> texts = new ArrayList<>(Collections.nCopies(200, null));
        IntStream.range(0, 3_000).forEach(i -> texts.add(i + "x".repeat(i % 400)));
        write("parts.parquet", version, texts);
        PreparedTable table = prepare("parquet: '" + folder.resolve("parts.parquet") + "'", "select: {from: t}");
        assertThat(rows(table).stream().map(row -> row.getString(0))).containsExactlyInAnyOrderElementsOf(texts);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = "PARQUET_1_0")
    void lz4InParts_ofOlderPages_isRead(WriterVersion version) throws IOException {
        lz4InParts_isRead(version);
    }

    /** A nullable column {@code x}: its levels and its values are parts of their own. */
    private void write(String name, WriterVersion version, List<@Nullable String> texts) throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType("message table { optional binary x (STRING); }");
        Configuration conf = new Configuration();
        conf.setInt("io.compression.codec.lz4.buffersize", 4096);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(
                        new org.apache.hadoop.fs.Path(folder.resolve(name).toUri()))
                .withConf(conf)
                .withType(schema)
                .withWriterVersion(version)
                .withPageRowCountLimit(100)
                .withDictionaryEncoding(false)
                .withCompressionCodec(CompressionCodecName.LZ4)
                .build()) {
            for (String text : texts) {
                Group row = new SimpleGroupFactory(schema).newGroup();
                writer.write(text == null ? row : row.append("x", text));
            }
        }
    }

    private Dataset<Row> source(String name) {
        return context("parquet: '" + FILES.resolve(name + ".parquet") + "'", "select: {from: t}")
                .openSources()
                .all()
                .get(0)
                .rows();
    }

    private static @Nullable Object expected(JsonNode value) {
        if (value.isArray()) {
            List<@Nullable Object> list = new ArrayList<>();
            value.forEach(element -> list.add(expected(element)));
            return list;
        }
        return value.isNull() ? null : value.asText();
    }

    private static @Nullable Object text(@Nullable Object value) {
        if (value instanceof scala.collection.Seq<?> list) {
            List<@Nullable Object> texts = new ArrayList<>();
            CollectionConverters.asJava(list).forEach(element -> texts.add(text(element)));
            return texts;
        } else if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        } else if (value instanceof Float || value instanceof Double) {
            return String.valueOf(Double.doubleToLongBits(((Number) value).doubleValue()));
        }
        return value == null ? null : String.valueOf(value);
    }
}
