package io.rankfeed.export.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.format.known.Formats;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.testing.PythonEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The library of each format, in its own Python environment, reads what we write. */
@Tag("nightly")
class FormatsPeerTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int ROWS = 60;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"webdataset, webdataset", "mds, mds", "tfrecord, tfrecord", "tfrecord, tensorflow"})
    void library_readsEveryValue(String name, String library) throws Exception {
        Format format = Formats.named(name);
        DrawnRows rows = DrawnRows.of(DrawnRows.schema(field -> stores(format, field)), ROWS, 7);
        for (long shardBytes : new long[] {0, 200_000}) {
            Path root = folder.resolve("bytes-" + shardBytes);
            FileSet set = WrittenSet.set(rows, 25, new FormatOptions(0, shardBytes, Map.of()));
            WrittenSet.of(format, set, rows).files().copyTo(root);
            writeExpected(rows, root);
            assertThat(python(library, root.toString())).contains(library + ": " + ROWS + " rows equal");
        }
    }

    /** Whether the format stores a column like this one. */
    private static boolean stores(Format format, Field field) {
        try {
            DrawnRows none = DrawnRows.of(DrawnRows.schema(other -> other.equals(field)), 0, 1);
            format.check(WrittenSet.set(none, 1, FormatOptions.none()));
            return true;
        } catch (ConfigException e) {
            assertThat(field.dtype()).as(e.getMessage()).isEqualTo(DType.BINARY);
            return false;
        }
    }

    /** {@code schema.json}: the fields; {@code rows.jsonl}: for each row its id and the bytes of each value in hexadecimal. */
    private static void writeExpected(DrawnRows rows, Path root) throws IOException {
        var schema = JSON.createArrayNode();
        for (Field field : rows.schema().fields()) {
            var shape = schema.addObject()
                    .put("name", field.name())
                    .put("dtype", field.dtype().id())
                    .put("nullable", field.nullable())
                    .putArray("shape");
            field.shape().dims().forEach(shape::add);
        }
        Files.writeString(root.resolve("schema.json"), schema.toString());
        StringBuilder lines = new StringBuilder();
        for (int row = 0; row < rows.ids().size(); row++) {
            ObjectNode line = JSON.createObjectNode().put("id", rows.ids().get(row));
            ObjectNode values = line.putObject("values");
            for (int field = 0; field < rows.schema().fields().size(); field++) {
                byte[] value = rows.values().get(row).get(field);
                values.put(
                        rows.schema().fields().get(field).name(),
                        value == null ? null : HexFormat.of().formatHex(value));
            }
            lines.append(line).append('\n');
        }
        Files.writeString(root.resolve("rows.jsonl"), lines);
    }

    private static String python(String... arguments) throws Exception {
        ProcessBuilder process =
                PythonEnvironment.command("formats", "shard-export/src/test/python/formats_read.py", arguments);
        process.environment().put("PYTHONWARNINGS", "ignore");
        return PythonEnvironment.output(process);
    }
}
