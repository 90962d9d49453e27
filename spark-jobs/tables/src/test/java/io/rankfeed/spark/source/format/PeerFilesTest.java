package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.arrow.ArrowFormat;
import io.rankfeed.spark.source.format.lmdb.LmdbFormat;
import io.rankfeed.spark.source.format.mds.MdsFormat;
import io.rankfeed.spark.source.format.tfrecord.TfRecordFormat;
import io.rankfeed.spark.source.format.webdataset.WebDatasetFormat;
import io.rankfeed.testing.PythonEnvironment;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the libraries of other formats have the values that these libraries read. */
@Tag("nightly")
class PeerFilesTest {
    @TempDir
    Path folder;

    @Test
    void files_ofLibraries_haveTheirValues() throws Exception {
        PythonEnvironment.output(PythonEnvironment.command(
                "formats", "spark-jobs/tables/src/test/python/peer_files.py", folder.toString()));
        JsonNode expected =
                new JsonMapper().readTree(folder.resolve("expected.json").toFile());
        assertThat(expected).isNotEmpty();
        for (Map.Entry<String, JsonNode> file : expected.properties()) {
            Path path = folder.resolve(file.getKey());
            RowFormat format = format(path);
            List<String> columns = new ArrayList<>();
            file.getValue().path("columns").fieldNames().forEachRemaining(columns::add);
            StoredFile stored = ReadFile.stored(format, path);
            assertThat(stored.types().keySet()).as(file.getKey()).containsExactlyInAnyOrderElementsOf(columns);
            StructType types = new StructType();
            for (String column : columns) {
                types = types.add(column, stored.types().get(column));
            }
            List<List<Object>> rows = ReadFile.rows(format.reading(types), path, columns);
            assertThat(stored.rows()).as(file.getKey()).hasValue(rows.size());
            assertThat(plain(rows))
                    .as(file.getKey())
                    .isEqualTo(json(file.getValue().path("rows")));
        }
    }

    private static RowFormat format(Path file) throws IOException {
        String name = file.getFileName().toString();
        if (name.contains(".mds")) {
            Path index = file.resolveSibling("index.json");
            org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
            FileStatus status = path.getFileSystem(new Configuration()).getFileStatus(path);
            return MdsFormat.of(
                    new JsonMapper().readTree(index.toFile()), index.toString(), List.of(new SourceFile(status, name)));
        }
        if (name.endsWith(".arrow")) {
            return new ArrowFormat();
        } else if (name.endsWith(".mdb")) {
            return new LmdbFormat();
        }
        return name.endsWith(".tfrecord") ? new TfRecordFormat() : new WebDatasetFormat();
    }

    /** Integers of any width are equal, and so are floats. */
    private static Object plain(Object value) {
        if (value instanceof List<?> list) {
            List<Object> items = new ArrayList<>();
            list.forEach(item -> items.add(plain(item)));
            return items;
        } else if (value instanceof Float || value instanceof Double) {
            return ((Number) value).doubleValue();
        }
        return value instanceof Number number ? new BigInteger(number.toString()) : String.valueOf(value);
    }

    private static Object json(JsonNode node) {
        if (node.isArray()) {
            List<Object> items = new ArrayList<>();
            node.forEach(item -> items.add(json(item)));
            return items;
        } else if (node.isIntegralNumber()) {
            return node.bigIntegerValue();
        }
        return node.isNumber() ? (Object) node.doubleValue() : node.asText();
    }
}
