package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.look.InspectCommand;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.SchemaJson;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.spark.inspect.JobParts;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PetastormIT {
    @TempDir
    private Path folder;

    @Test
    void table_ofEveryType_isTheSameAfterItsUnischemaIsRead() {
        PreparedTable ours = everyType();
        PreparedTable again = PrepareFixture.prepare(
                folder.resolve("again"),
                "  t: {petastorm: '" + PrepareFixture.folder(ours).resolve("data") + "'}",
                "select: {from: t}\nkey: [id]\nblock: 64 KiB\npetastorm: true");
        assertThat(schema(again)).isEqualTo(schema(ours));
        assertThat(again.manifest().inputs().get(0).kind()).isEqualTo("petastorm");
        List<Row> rows = PetastormTables.rows(ours);
        assertThat(rows).hasSize(500).isEqualTo(PetastormTables.rows(again));
        assertThat(rows.get(0).<byte[]>getAs("t_uint16")).hasSize(2 * 6);
    }

    @Test
    void metadata_isListedAndHasTheSameBytesForEqualJobs() throws IOException {
        PreparedTable ours = everyType();
        byte[] bytes = Files.readAllBytes(PrepareFixture.folder(ours).resolve("data/_common_metadata"));
        List<ArtifactFile> data = ours.manifest().files().stream()
                .filter(file -> file.path().value().startsWith("data/"))
                .toList();
        assertThat(data.get(0).path().value()).isEqualTo("data/_common_metadata");
        assertThat(data.get(0).bytes()).isEqualTo(bytes.length);
        assertThat(data).hasSizeGreaterThan(2).allMatch(file -> file.bytes() <= 64 << 10);
        CommandLine inspect =
                new CommandLine(new InspectCommand(JobParts.STORES)).setOut(new PrintWriter(new StringWriter()));
        assertThat(inspect.execute(PrepareFixture.folder(ours).toString())).isZero();
    }

    @Test
    void payload_inPlaceOfUnischema_isRefusedAndNamed() throws IOException {
        Path data = PrepareFixture.folder(everyType()).resolve("data");
        Path metadata = data.resolve("_common_metadata");
        String text = Files.readString(metadata, StandardCharsets.ISO_8859_1);
        String hostile = text.replace("ccollections\nOrderedDict\n", "c__builtin__\neval1234567\n");
        assertThat(hostile).hasSameSizeAs(text).isNotEqualTo(text);
        Files.writeString(metadata, hostile, StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> prepared("petastorm: '" + data + "'", "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("_common_metadata, byte ")
                .hasMessageContaining("eval1234567");
        Files.delete(metadata);
        assertThatThrownBy(() -> prepared("petastorm: '" + data + "'", "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("write parquet: instead");
    }

    /** It would be null in every row. */
    @Test
    void nullableField_ofUnsupportedType_isRefused() throws IOException {
        PrepareFixture.table(folder.resolve("t"), 5, 1);
        PreparedTable ours = prepared(
                "parquet: '" + folder.resolve("t") + "'",
                "sql: SELECT id, nullif(id, 3) AS x FROM t\nkey: [id]\npetastorm: true");
        Path dataset = Files.createDirectory(folder.resolve("dataset"));
        Files.copy(PrepareFixture.folder(ours).resolve("data/_common_metadata"), dataset.resolve("_common_metadata"));
        MessageType schema = MessageTypeParser.parseMessageType(
                "message table { required int64 id; optional fixed_len_byte_array(26) x (DECIMAL(60,2)); }");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(
                        dataset.resolve("a.parquet").toUri()))
                .withConf(new Configuration())
                .withType(schema)
                .build()) {
            writer.write(new SimpleGroupFactory(schema).newGroup().append("id", 1L));
        }
        assertThatThrownBy(() -> prepared("petastorm: '" + dataset + "'", "select: {from: t}\nkey: [id]"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("unsupported Parquet in column 'x' (type ");
        assertThat(prepared("petastorm: '" + dataset + "', columns: [id]", "select: {from: t}\nkey: [id]")
                        .manifest()
                        .rows())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"id AS class, rename", "id AS _id, rename", "array(1.0F) AS b, bfloat16"})
    void types_unknownToPetastorm_areRefusedBeforeWriting(String column, String reported) {
        PrepareFixture.table(folder.resolve("t"), 5, 1);
        String tensors = column.contains("array") ? "\ntensors: {b: {dtype: bfloat16}}" : "";
        assertThatThrownBy(() -> prepared(
                        "parquet: '" + folder.resolve("t") + "'",
                        "select: {from: t, columns: ['" + column + "']}\npetastorm: true" + tensors))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(reported);
        assertThat(folder.resolve("root/d/prepared")).isEmptyDirectory();
    }

    private PreparedTable everyType() {
        PrepareFixture.table(folder.resolve("t"), 500, 2);
        return PetastormTables.everyType(folder.resolve("t"), folder.resolve("root"));
    }

    private PreparedTable prepared(String source, String prepare) {
        return PrepareFixture.prepare(folder.resolve("root"), "  t: {" + source + "}", prepare);
    }

    private static String schema(PreparedTable table) {
        SampleSchema schema = table.manifest().schema();
        return SchemaJson.toJson(schema).toPrettyString();
    }
}
