package io.rankfeed.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid Parquet that Spark cannot read (unsupported_parquet.py): exit code 2 with file, column and reason, not corrupted data. */
class UnsupportedParquetIT {
    private static final Path FILES = Path.of("src/test/resources/parquet-unsupported");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "brotli, codec BROTLI",
        "lz4, codec LZ4 without Hadoop's framing",
        "lz4-after-nulls, codec LZ4 without Hadoop's framing",
        "'decimal-60', 'type optional fixed_len_byte_array(26) x (DECIMAL(60,2))'",
    })
    void column_unsupported_isNamedAndOthersAreRead(String name, String why) {
        Path file = FILES.resolve(name + ".parquet").toAbsolutePath();
        assertThatThrownBy(() -> prepare("{parquet: '" + file + "'}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("unsupported Parquet in column 'x' (" + why + ")")
                .hasMessageContaining("sources.t.columns")
                .hasMessageNotContaining("Exception");
        assertThat(prepare("{parquet: '" + file + "', columns: [id]}")
                        .manifest()
                        .rows())
                .isEqualTo(20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "repeated fixed_len_byte_array(2) x (FLOAT16);",
                "optional group x (LIST) { repeated fixed_len_byte_array(2) array (FLOAT16); }",
                "optional group x (LIST) { repeated group array { optional fixed_len_byte_array(2) item (FLOAT16); } }",
                "optional group x (LIST) { repeated group x_tuple { required fixed_len_byte_array(2) item (FLOAT16); } }",
                "optional group x (LIST) { repeated int64 array (TIME(MICROS,true)); }"
            })
    void list_ofTwoLevels_isNamed(String column) throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType("message table { required int64 id; " + column + " }");
        Path file = folder.resolve("levels.parquet");
        write(file, new SimpleGroupFactory(schema).newGroup().append("id", 1L));
        assertThatThrownBy(() -> prepare("{parquet: '" + file + "'}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file + ": unsupported Parquet in column 'x' (type ");
    }

    @Test
    void column_leftOut_doesNotDecideTheTypeOfOthers() throws IOException {
        Path table = Files.createDirectory(folder.resolve("types"));
        Files.copy(FILES.resolve("decimal-60.parquet"), table.resolve("a.parquet"));
        MessageType schema = MessageTypeParser.parseMessageType(
                "message table { optional int64 id; optional fixed_len_byte_array(2) x (FLOAT16); }");
        write(
                table.resolve("b.parquet"),
                new SimpleGroupFactory(schema).newGroup().append("id", 1L));
        StructType types = context("{parquet: '" + table + "'}", "select: {from: t}")
                .openSources()
                .all()
                .get(0)
                .rows()
                .schema();
        assertThat(types.apply("x").dataType()).isEqualTo(DataTypes.FloatType);
    }

    @Test
    void file_encrypted_isUnsupportedAndNotCorrupted() {
        Path footer = FILES.resolve("encrypted-footer.parquet").toAbsolutePath();
        assertThatThrownBy(() -> prepare("{parquet: '" + footer + "'}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(footer + ": unsupported: an encrypted Parquet footer");
        Path column = FILES.resolve("encrypted-column.parquet").toAbsolutePath();
        assertThatThrownBy(() -> prepare("{parquet: '" + column + "', columns: [id]}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(column + ": unsupported: encrypted Parquet columns 'x'");
    }

    @Test
    void geometry_ofAnyCoordinateSystem_isItsBytes() throws IOException {
        MessageType schema = Types.buildMessage()
                .required(PrimitiveTypeName.INT64)
                .named("id")
                .optional(PrimitiveTypeName.BINARY)
                .as(LogicalTypeAnnotation.geometryType("projjson:mine"))
                .named("x")
                .named("table");
        Path file = folder.resolve("crs.parquet");
        Binary value = Binary.fromConstantByteArray(new byte[] {1, 1, 0, 0, 0});
        write(file, new SimpleGroupFactory(schema).newGroup().append("id", 1L).append("x", value));
        PreparedTable prepared = prepare("{parquet: '" + file + "'}");
        assertThat(prepared.manifest().rows()).isEqualTo(1);
        assertThat(prepared.manifest().schema().fields().get(1).kind()).isEqualTo(Field.Kind.BYTES);
    }

    @Test
    void unsupportedColumns_ofAQuery_areNamedWithWorkingCasts() {
        SparkSession spark = LocalSpark.session(2);
        Path table = folder.resolve("table");
        List<String> columns = List.of(
                "CAST(id AS DECIMAL(20, 0)) AS unsigned",
                "CAST(id AS DECIMAL(38, 0)) AS wide",
                "CAST(id AS DECIMAL(10, 2)) AS price",
                "array(array('a')) AS nested",
                "array(DATE'2020-01-01') AS days",
                "array(map('a', 1)) AS maps",
                "array(CAST(1 AS DECIMAL(10, 2))) AS prices",
                "named_struct('a b', 1) AS point",
                "map('a', 1) AS counts",
                "DATE'2020-01-01' AS day",
                "TIMESTAMP_NTZ'2020-01-01 00:00:00' AS local");
        List<String> all = Stream.concat(
                        columns.stream(), Stream.of("array('a') AS words", "array(binary('a')) AS blobs"))
                .toList();
        spark.range(3).selectExpr(all.toArray(String[]::new)).write().parquet(table.toString());
        String message = null;
        try {
            prepare("{parquet: '" + table + "'}");
        } catch (ConfigException e) {
            message = e.getMessage();
        }
        assertThat(message).startsWith(columns.size() + " columns cannot be prepared: ");
        List<String> casts = List.of(
                        message.substring(message.indexOf(": ") + 2).split("; (?=column ')"))
                .stream()
                .map(part -> part.substring(part.indexOf("in the job's SQL: ") + "in the job's SQL: ".length()))
                .map(part -> part.split("; or, ", 2)[0])
                .toList();
        assertThat(casts)
                .hasSize(columns.size())
                .contains("CAST(unsigned AS BIGINT) AS unsigned", "to_json(nested) AS nested");
        PreparedTable prepared = Prepare.run(context(
                "{parquet: '" + table + "'}", "sql: \"SELECT words, blobs, " + String.join(", ", casts) + " FROM t\""));
        assertThat(prepared.manifest().rows()).isEqualTo(3);
        assertThat(prepared.manifest().schema().fields().subList(0, 2))
                .extracting(Field::kind)
                .containsOnly(Field.Kind.LIST);
    }

    private static void write(Path file, Group row) throws IOException {
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
                .withConf(new Configuration())
                .withType((MessageType) row.getType())
                .build()) {
            writer.write(row);
        }
    }

    private PreparedTable prepare(String source) {
        return Prepare.run(context(source, "select: {from: t}"));
    }

    private JobContext context(String source, String prepare) {
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources:\n  t: " + source + "\nprepare:\n  "
                + prepare + "\n";
        return JobContext.of(
                LocalSpark.session(2),
                JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()),
                Progress.NONE);
    }
}
