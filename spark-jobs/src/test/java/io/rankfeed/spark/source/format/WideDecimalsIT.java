package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.prepare.PrepareFixture;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals of at most 18 digits in bytes: Spark reads some lengths as other numbers, so these are refused. */
class WideDecimalsIT extends FormatJob {
    private static final List<Long> UNSCALED = List.of(9999L, -9999L, -1L, 0L, 1L, 123_456_789_012_345_678L);

    @ParameterizedTest
    @CsvSource({"8, 18", "12, 20"})
    void decimals_areReadAsWritten(int bytes, int digits) throws IOException {
        assertThat(rows(prepare(
                                "parquet: '" + written(bytes, digits) + "'",
                                "sql: SELECT CAST(x AS STRING) AS x FROM t"))
                        .stream()
                        .map(row -> row.getString(0)))
                .containsExactlyInAnyOrder("99.99", "-99.99", "-0.01", "0.00", "0.01", "1234567890123456.78");
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"16, 18", "24, 18", "9, 19"})
    void decimals_ofOtherLengths_areReadAsWritten(int bytes, int digits) throws IOException {
        decimals_areReadAsWritten(bytes, digits);
    }

    @ParameterizedTest
    @ValueSource(ints = 12)
    void decimals_ofMisreadLengths_areRefused(int bytes) throws IOException {
        Path file = written(bytes, 18);
        assertRefused(
                "parquet: '" + file + "'",
                "select: {from: t}",
                ConfigException.class,
                file + ": unsupported Parquet in column 'x' (type optional fixed_len_byte_array(" + bytes
                        + ") x (DECIMAL(18,2))",
                "write INT32, INT64, FIXED_LEN_BYTE_ARRAY of at most 8 bytes",
                "sources.t.columns");
        assertRefused(
                "parquet: '" + file + "', columns: [id], where: 'x > 0'",
                "select: {from: t}",
                ConfigException.class,
                "sources.t.where: ");
        assertThat(prepare("parquet: '" + file + "', columns: [id]", "select: {from: t}")
                        .manifest()
                        .rows())
                .isEqualTo(UNSCALED.size());
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(ints = {9, 15, 17})
    void decimals_ofOtherMisreadLengths_areRefused(int bytes) throws IOException {
        decimals_ofMisreadLengths_areRefused(bytes);
    }

    @Test
    void decimals_inBytesOfAnyLength_areRefused() throws IOException {
        MessageType schema = Types.buildMessage()
                .optional(PrimitiveTypeName.BINARY)
                .as(LogicalTypeAnnotation.decimalType(2, 4))
                .named("x")
                .named("table");
        Path file = folder.resolve("bytes.parquet");
        try (ParquetWriter<Group> writer = writer(file, schema)) {
            writer.write(new SimpleGroupFactory(schema).newGroup().append("x", Binary.EMPTY));
        }
        assertRefused(
                "parquet: '" + file + "'",
                "select: {from: t}",
                ConfigException.class,
                "column 'x' (type optional binary x (DECIMAL(4,2))");
    }

    @Test
    void hiveTable_ofMisreadDecimals_isRefused() throws IOException {
        Path table = Files.createDirectory(folder.resolve("table"));
        Files.move(written(12, 18), table.resolve("a.parquet"));
        SparkSession spark = PrepareFixture.session();
        spark.sql("CREATE DATABASE IF NOT EXISTS wide");
        spark.sql("DROP TABLE IF EXISTS wide.decimals");
        spark.sql("CREATE TABLE wide.decimals (id BIGINT, x DECIMAL(18, 2)) USING parquet LOCATION '" + table + "'");
        assertRefused("hive: wide.decimals", "select: {from: t}", ConfigException.class, "column 'x' (type ");
        assertRefused(
                "hive: wide.decimals, columns: [id], where: 'x > 0'",
                "select: {from: t}",
                ConfigException.class,
                "column 'x' (type ");
        assertThat(prepare("hive: wide.decimals, columns: [id], where: 'id > 0'", "select: {from: t}")
                        .manifest()
                        .rows())
                .isEqualTo(3);
    }

    /** Column mapping gives the column another name than the one in the file. */
    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"name", "none"})
    void deltaTable_ofMisreadDecimals_isRefused(String mapping) throws IOException {
        Path table = Files.createDirectory(folder.resolve("delta"));
        Files.move(written(12, 18), table.resolve("a.parquet"));
        SparkSession spark = PrepareFixture.session();
        spark.sql("CONVERT TO DELTA parquet.`" + table + "` NO STATISTICS");
        String delta = "delta.`" + table + "`";
        if (mapping.equals("name")) {
            spark.sql("ALTER TABLE " + delta + " SET TBLPROPERTIES ('delta.minReaderVersion' = '2',"
                    + " 'delta.minWriterVersion' = '5', 'delta.columnMapping.mode' = 'name')");
            spark.sql("ALTER TABLE " + delta + " RENAME COLUMN x TO price");
        }
        String by = "select: {from: t}\nkey: [id]";
        assertRefused("delta: '" + table + "'", by, ConfigException.class, "/a.parquet: ", "column 'x' (type ");
        assertThat(prepare("delta: '" + table + "', columns: [id]", by)
                        .manifest()
                        .rows())
                .isEqualTo(UNSCALED.size());
    }

    /** Mapping by id finds columns by the ids in the files, whose names can be any. */
    @Test
    void deltaTable_mappedById_isRefused() throws IOException {
        Path table = folder.resolve("delta");
        PrepareFixture.session()
                .sql("CREATE TABLE delta.`" + table + "` (id BIGINT, x DECIMAL(18, 2)) USING delta"
                        + " TBLPROPERTIES ('delta.columnMapping.mode' = 'id')");
        Path file = table.resolve("a.parquet");
        Files.move(written(12, 18, "a = 1", "b = 2"), file);
        Files.writeString(
                table.resolve("_delta_log/00000000000000000001.json"),
                "{\"add\": {\"path\": \"a.parquet\", \"partitionValues\": {}, \"size\": " + Files.size(file)
                        + ", \"modificationTime\": 0, \"dataChange\": true}}");
        String by = "select: {from: t}\nkey: [id]";
        assertRefused("delta: '" + table + "'", by, ConfigException.class, file + ": ", "column 'b' (type ");
        assertThat(rows(prepare("delta: '" + table + "', columns: [id]", by)).stream()
                        .map(row -> row.getLong(0)))
                .containsExactlyInAnyOrderElementsOf(UNSCALED);
    }

    @Test
    void decimals_nestedAndMisread_areRefused() throws IOException {
        MessageType schema = Types.buildMessage()
                .optionalList()
                .optionalElement(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
                .length(12)
                .as(LogicalTypeAnnotation.decimalType(2, 9))
                .named("x")
                .named("table");
        Path file = folder.resolve("nested.parquet");
        try (ParquetWriter<Group> writer = writer(file, schema)) {
            writer.write(new SimpleGroupFactory(schema).newGroup());
        }
        assertRefused(
                "parquet: '" + file + "'",
                "sql: SELECT size(x) AS n FROM t",
                ConfigException.class,
                "column 'x' (type optional fixed_len_byte_array(12) element (DECIMAL(9,2))");
    }

    private Path written(int bytes, int digits) throws IOException {
        return written(bytes, digits, "id", "x");
    }

    /** @param id the first column's name, which can have a field id after it */
    private Path written(int bytes, int digits, String id, String x) throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType(
                "message table { required int64 " + id + "; optional fixed_len_byte_array(" + bytes + ") "
                        + x.replaceFirst("( =|$)", " (DECIMAL(" + digits + ",2))$1") + "; }");
        Path file = folder.resolve("decimals.parquet");
        try (ParquetWriter<Group> writer = writer(file, schema)) {
            for (long value : UNSCALED) {
                writer.write(new SimpleGroupFactory(schema)
                        .newGroup()
                        .append(schema.getFieldName(0), value)
                        .append(schema.getFieldName(1), Binary.fromConstantByteArray(extended(value, bytes))));
            }
        }
        return file;
    }

    /** Two's complement, big-endian. */
    private static byte[] extended(long value, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) (value < 0 ? -1 : 0));
        byte[] number = BigInteger.valueOf(value).toByteArray();
        ByteBuffer.wrap(bytes).position(length - number.length).put(number);
        return bytes;
    }

    private static ParquetWriter<Group> writer(Path file, MessageType schema) throws IOException {
        return ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
                .withConf(new Configuration())
                .withType(schema)
                .build();
    }
}
