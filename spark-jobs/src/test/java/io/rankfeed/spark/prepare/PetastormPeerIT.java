package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.PreparedTable;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real petastorm, in its own Python environment, reads what we write and writes what we read. */
class PetastormPeerIT {
    private static final Path ROOT =
            Path.of(System.getProperty("rankfeed.root", "..")).toAbsolutePath().normalize();
    private static final Pattern MAPPED =
            Pattern.compile("\\| `([a-z0-9 ]+)` \\| `(\\w+)` \\| `(\\w+)` \\| `?(\\w+).*");
    private static final JsonMapper JSON = new JsonMapper();

    /** What petastorm wrote, for all tests. */
    @TempDir
    private static Path theirs;

    @TempDir
    private Path folder;

    @BeforeAll
    static void petastormWrites() throws Exception {
        python("petastorm_write.py", theirs.toString());
    }

    @Test
    void petastormsReadersGetEveryValueOfOurs() throws Exception {
        Path input = PrepareFixture.table(folder.resolve("t"), 120, 2);
        PreparedTable table = PetastormTables.everyType(input, folder.resolve("root"));
        Files.write(folder.resolve("rows.jsonl"), PetastormTables.rowsAsJson(input));
        Files.writeString(folder.resolve("mapping.json"), mapping(table).toString());
        String url =
                PrepareFixture.folder(table).resolve("data").toUri().toString().replaceAll("/$", "");
        assertThat(python("petastorm_read.py", folder.toString(), url)).contains("120 rows, 23 fields");
    }

    @Test
    void whatPetastormWroteIsReadAsItsOwnReaderReadsIt() throws IOException {
        PreparedTable table =
                prepared("sql: SELECT * EXCEPT (s_price), CAST(s_price AS STRING) AS s_price FROM t\nkey: [id]");
        Map<String, Field> fields = new HashMap<>();
        table.manifest().schema().orElseThrow().fields().forEach(field -> fields.put(field.name(), field));
        assertThat(fields.get("n_float16")).isEqualTo(new Field("n_float16", DType.FLOAT16, Shape.of(2, 3), false));
        assertThat(fields.get("z_uint64")).isEqualTo(new Field("z_uint64", DType.UINT64, Shape.of(-1, 2), true));
        List<Row> rows = PetastormTables.rows(table);
        JsonNode wanted = JSON.readTree(theirs.resolve("rows.json").toFile());
        assertThat(rows).hasSize(wanted.size()).hasSize(24);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            for (Map.Entry<String, JsonNode> value : wanted.get(i).properties()) {
                assertSame(row.getAs(value.getKey()), value.getKey(), value.getValue(), fields.get(value.getKey()));
            }
        }
    }

    @Test
    void payloadsThatRunCodeInPetastormAreRefusedAndLeaveNoTrace() throws IOException {
        Path metadata = theirs.resolve("dataset/_common_metadata");
        byte[] honest = Files.readAllBytes(metadata);
        try (var payloads = Files.newDirectoryStream(theirs.resolve("payloads"))) {
            int tried = 0;
            for (Path payload : payloads) {
                Files.write(metadata, withPickle(honest, Files.readAllBytes(payload)));
                assertThatThrownBy(() -> prepared("select: {from: t, columns: [id]}"))
                        .as(payload.toString())
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("_common_metadata, byte ")
                        .hasMessageContaining("not executed");
                assertThat(theirs.toFile().list((in, name) -> name.startsWith("trace")))
                        .isEmpty();
                tried++;
            }
            assertThat(tried).isEqualTo(4);
        } finally {
            Files.write(metadata, honest);
        }
    }

    private PreparedTable prepared(String prepare) {
        return PrepareFixture.prepare(
                folder.resolve("root"), "  t: {petastorm: '" + theirs.resolve("dataset") + "'}", prepare);
    }

    private static void assertSame(Object got, String name, JsonNode wanted, Field field) throws IOException {
        if (wanted.isNull()) {
            assertThat(got).as(name).isNull();
        } else if (wanted.has("base64")) {
            byte[] bytes = Base64.getDecoder().decode(wanted.get("base64").asText());
            if (name.equals("photo")) {
                assertThat(((byte[]) got).length).as(name).isEqualTo(bytes.length);
                for (int i = 0; i < bytes.length; i++) {
                    assertThat(((byte[]) got)[i] & 0xFF)
                            .as(name)
                            .isBetween((bytes[i] & 0xFF) - 2, (bytes[i] & 0xFF) + 2);
                }
            } else {
                assertThat(name.equals("any_size") ? pixels((byte[]) got) : (byte[]) got)
                        .as(name)
                        .isEqualTo(bytes);
            }
            if (wanted.has("dtype") && !name.equals("any_size")) {
                assertThat(field.dtype().id())
                        .as(name)
                        .isEqualTo(wanted.get("dtype").asText());
            }
        } else if (wanted.isNumber() && got instanceof Number number) {
            assertThat(number.doubleValue()).as(name).isEqualTo(wanted.doubleValue());
            assertThat(number.longValue()).as(name).isEqualTo(wanted.longValue());
        } else {
            assertThat(String.valueOf(got)).as(name).isEqualTo(wanted.asText());
        }
    }

    private static byte[] pixels(byte[] png) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        ByteBuffer rgb = ByteBuffer.allocate(3 * image.getWidth() * image.getHeight());
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int pixel = image.getRGB(x, y);
                rgb.put((byte) (pixel >> 16)).put((byte) (pixel >> 8)).put((byte) pixel);
            }
        }
        return rgb.array();
    }

    /** What docs/format/petastorm.md says of each of a table's fields. */
    private static ObjectNode mapping(PreparedTable table) throws IOException {
        Map<String, List<String>> page = new HashMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/format/petastorm.md"))) {
            Matcher mapped = MAPPED.matcher(line);
            if (mapped.matches()) {
                page.put(
                        mapped.group(1),
                        List.of(
                                mapped.group(2),
                                mapped.group(3),
                                mapped.group(4).replace("none", "None")));
            }
        }
        assertThat(page).hasSize(21);
        ObjectNode mapping = JSON.createObjectNode();
        for (Field field : table.manifest().schema().orElseThrow().fields()) {
            boolean scalar = field.shape().rank() == 0;
            var told = mapping.putArray(field.name());
            page.get(field.dtype().id() + (scalar ? "" : " tensor")).forEach(told::add);
            var shape = told.addArray();
            field.shape().dims().forEach(shape::add);
            told.add(field.nullable());
        }
        return mapping;
    }

    /** The metadata with another pickle in place of the first bytes of its own, which is longer. */
    private static byte[] withPickle(byte[] metadata, byte[] pickle) {
        String text = new String(metadata, StandardCharsets.ISO_8859_1);
        int key = text.indexOf("dataset-toolkit.unischema.v1");
        int at = text.indexOf("\u0080\u0004", key);
        assertThat(key).isPositive();
        assertThat(at).isBetween(key, key + 60);
        byte[] hostile = metadata.clone();
        System.arraycopy(pickle, 0, hostile, at, pickle.length);
        return hostile;
    }

    private static String python(String script, String... arguments) throws Exception {
        Path python = ROOT.resolve(".envs/petastorm/bin/python");
        assertThat(python).as("made by conf/python/env.sh petastorm").exists();
        ProcessBuilder process = new ProcessBuilder(
                        python.toString(),
                        Path.of("src/test/python", script).toAbsolutePath().toString())
                .redirectErrorStream(true);
        process.command().addAll(Arrays.asList(arguments));
        process.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process.environment().put("PYSPARK_PYTHON", python.toString());
        process.environment().put("PYTHONWARNINGS", "ignore");
        process.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        process.environment().remove("SPARK_HOME");
        process.directory(theirs.toFile());
        Path log = Files.createTempFile(theirs, "python", ".log");
        Process running = process.redirectOutput(log.toFile()).start();
        assertThat(running.waitFor(5, TimeUnit.MINUTES)).as(script).isTrue();
        String told = Files.readString(log);
        assertThat(running.exitValue()).as(told).isZero();
        return told;
    }
}
