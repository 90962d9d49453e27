package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.testing.PythonEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The real petastorm, in its own Python environment, reads what we write and writes what we read. */
@Tag("nightly")
class PetastormPeerIT extends PetastormDataset {
    private static final Path ROOT =
            Path.of(System.getProperty("rankfeed.root", "..")).toAbsolutePath().normalize();
    private static final Pattern MAPPED =
            Pattern.compile("\\| `([a-z0-9 ]+)` \\| `(\\w+)` \\| `(\\w+)` \\| `?(\\w+).*");
    private static final JsonMapper JSON = new JsonMapper();

    @BeforeAll
    static void petastormWrites() throws Exception {
        python("petastorm_write.py", written.toString());
    }

    @Test
    void petastorm_readsEveryValueOfOurTables() throws Exception {
        Path input = PrepareFixture.table(folder.resolve("t"), 120, 2);
        PreparedTable table = PetastormTables.everyType(input, folder.resolve("root"));
        Files.write(folder.resolve("rows.jsonl"), PetastormTables.rowsAsJson(input));
        Files.writeString(folder.resolve("mapping.json"), mapping(table).toString());
        String url =
                PrepareFixture.folder(table).resolve("data").toUri().toString().replaceAll("/$", "");
        assertThat(python("petastorm_read.py", folder.toString(), url)).contains("120 rows, 23 fields");
    }

    @Test
    void payload_runningCodeInPetastorm_isRefusedWithoutTrace() throws IOException {
        Path metadata = written.resolve("dataset/_common_metadata");
        byte[] honest = Files.readAllBytes(metadata);
        try (var payloads = Files.newDirectoryStream(written.resolve("payloads"))) {
            int tried = 0;
            for (Path payload : payloads) {
                Files.write(metadata, withPickle(honest, Files.readAllBytes(payload)));
                assertThatThrownBy(() -> prepared("select: {from: t, columns: [id]}"))
                        .as(payload.toString())
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("_common_metadata, byte ")
                        .hasMessageContaining("not executed");
                assertThat(written.toFile().list((in, name) -> name.startsWith("trace")))
                        .isEmpty();
                tried++;
            }
            assertThat(tried).isEqualTo(4);
        } finally {
            Files.write(metadata, honest);
        }
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
        for (Field field : table.manifest().schema().fields()) {
            boolean scalar = field.shape().rank() == 0;
            var reported = mapping.putArray(field.name());
            page.get(field.dtype().id() + (scalar ? "" : " tensor")).forEach(reported::add);
            var shape = reported.addArray();
            field.shape().dims().forEach(shape::add);
            reported.add(field.nullable());
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
        ProcessBuilder process =
                PythonEnvironment.command("petastorm", "spark-jobs/src/test/python/" + script, arguments);
        process.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process.environment().put("PYSPARK_PYTHON", process.command().get(0));
        process.environment().put("PYTHONWARNINGS", "ignore");
        process.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        process.environment().remove("SPARK_HOME");
        return PythonEnvironment.output(process.directory(written.toFile()));
    }
}
