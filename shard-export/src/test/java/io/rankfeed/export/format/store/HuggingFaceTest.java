package io.rankfeed.export.format.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.testing.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HuggingFaceTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    @Test
    void arrowJava_readsEveryValueOfEveryType() throws IOException {
        DrawnRows drawn = DrawnRows.of(
                DrawnRows.schema(field -> field.dtype() != DType.BINARY), 1200, Seed.of(HuggingFaceTest.class));
        write(drawn, 1050, FormatOptions.none());

        int row = compare(drawn, 0, "train/data-00000-of-00002.arrow");
        assertThat(row).isEqualTo(1050);
        assertThat(compare(drawn, row, "train/data-00001-of-00002.arrow")).isEqualTo(1200);
    }

    @Test
    void shardBytes_limitFiles_ofTheNamesInState() throws IOException {
        for (DType dtype : List.of(DType.BINARY, DType.BOOL, DType.INT32)) {
            DrawnRows drawn = DrawnRows.of(
                    DrawnRows.schema(field -> field.dtype() == dtype), 300, Seed.of(HuggingFaceTest.class));
            int shardBytes = dtype == DType.BINARY ? 2_000_000 : 20_000;
            write(drawn, 300, new FormatOptions(0, shardBytes, Map.of()));

            List<String> names = new ArrayList<>();
            state().path("_data_files")
                    .forEach(file -> names.add(file.path("filename").textValue()));
            assertThat(names).hasSizeGreaterThan(1).startsWith("data-00000-0000.arrow");
            int row = 0;
            for (String name : names) {
                int first = row;
                row = compare(drawn, row, "train/" + name);
                long lengthBytes = Files.size(folder.resolve("train").resolve(name));
                assertThat(lengthBytes <= shardBytes || row == first + 1)
                        .as("%s bytes", lengthBytes)
                        .isTrue();
            }
            assertThat(row).isEqualTo(300);
        }
    }

    @Test
    void split_withoutRows_isOneFileWithTheSchema() throws IOException {
        DrawnRows drawn = StoreFiles.rows(DrawnRows.schema(field -> true), List.of());
        write(drawn, 1, FormatOptions.none());

        assertThat(compare(drawn, 0, "train/data-00000-of-00001.arrow")).isZero();
    }

    @Test
    void features_ofEveryShape_areListsOfTheirDimensions() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("box", DType.FLOAT32, Shape.of(2, 3), true),
                new Field("spans", DType.INT32, Shape.of(Shape.VARIABLE, 2), false),
                new Field("bits", DType.BFLOAT16, Shape.scalar(), false),
                new Field("tags", DType.STRING, Shape.of(Shape.VARIABLE), false)));
        write(DrawnRows.of(schema, 3, 1), 3, FormatOptions.none());

        JsonNode info = JSON.readTree(folder.resolve("train/dataset_info.json").toFile());
        assertThat(info.path("features")).isEqualTo(JSON.readTree("""
                        {"box": {"feature": {"feature": {"dtype": "float32", "_type": "Value"}, "length": 3, "_type": "List"},
                                 "length": 2, "_type": "List"},
                         "spans": {"feature": {"feature": {"dtype": "int32", "_type": "Value"}, "length": 2, "_type": "List"},
                                   "_type": "List"},
                         "bits": {"dtype": "uint16", "_type": "Value"},
                         "tags": {"feature": {"dtype": "string", "_type": "Value"}, "_type": "List"}}"""));
        assertThat(state().path("_split").textValue()).isEqualTo("train");
    }

    @Test
    void fingerprint_changesWithAValueOnly() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(new Field("x", DType.INT32, Shape.scalar(), false)));
        DrawnRows one = StoreFiles.rows(schema, List.of(List.of(new byte[4])));
        write(one, 1, FormatOptions.none());
        String first = state().path("_fingerprint").textValue();
        write(one, 1, FormatOptions.none());
        assertThat(state().path("_fingerprint").textValue()).isEqualTo(first).matches("[0-9a-f]{16}");
        write(StoreFiles.rows(schema, List.of(List.of(new byte[] {1, 0, 0, 0}))), 1, FormatOptions.none());
        assertThat(state().path("_fingerprint").textValue()).isNotEqualTo(first);
    }

    private JsonNode state() throws IOException {
        return JSON.readTree(folder.resolve("train/state.json").toFile());
    }

    private void write(DrawnRows drawn, int partRows, FormatOptions options) throws IOException {
        StoreFiles.write(new HuggingFace(), drawn, partRows, options, folder);
    }

    /** Compares the rows of a file with the drawn ones from {@code row} on. @return the row after the last */
    private int compare(DrawnRows drawn, int row, String path) throws IOException {
        int next = row;
        try (BufferAllocator allocator = new RootAllocator();
                ArrowStreamReader reader = new ArrowStreamReader(
                        new ByteArrayInputStream(Files.readAllBytes(folder.resolve(path))), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            assertThat(root.getSchema().getCustomMetadata()).containsKey("huggingface");
            assertThat(root.getSchema().getFields())
                    .allSatisfy(field -> assertThat(field.isNullable()).isTrue());
            while (reader.loadNextBatch()) {
                assertThat(root.getRowCount()).isBetween(1, 1000);
                for (int i = 0; i < root.getRowCount(); i++) {
                    for (int field = 0; field < drawn.schema().fields().size(); field++) {
                        FieldVector vector = root.getVector(field);
                        Field declared = drawn.schema().fields().get(field);
                        assertThat(packed(vector.getObject(i), declared))
                                .as("%s of row %s", declared, next)
                                .isEqualTo(drawn.values().get(next).get(field));
                    }
                    next++;
                }
            }
        }
        return next;
    }

    /** A value of Arrow as the bytes of a sample. */
    private static byte @Nullable [] packed(@Nullable Object value, Field field) {
        if (value == null) {
            return null;
        } else if (field.kind() == Field.Kind.LIST) {
            return PackedList.of(
                    ((List<?>) value).stream().map(HuggingFaceTest::bytes).toList());
        } else if (field.kind() == Field.Kind.BYTES) {
            return bytes(value);
        }
        ByteBuffer buffer = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN);
        append(value, buffer);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static byte[] bytes(Object value) {
        return value instanceof byte[] bytes ? bytes : value.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(Object value, ByteBuffer to) {
        if (value instanceof List<?> list) {
            list.forEach(item -> append(item, to));
        } else if (value instanceof Boolean bit) {
            to.put((byte) (bit ? 1 : 0));
        } else if (value instanceof Byte number) {
            to.put(number);
        } else if (value instanceof Short number) {
            to.putShort(number);
        } else if (value instanceof Character number) {
            to.putChar(number);
        } else if (value instanceof Integer number) {
            to.putInt(number);
        } else if (value instanceof Long number) {
            to.putLong(number);
        } else if (value instanceof Float number) {
            to.putFloat(number);
        } else {
            to.putDouble((Double) value);
        }
    }
}
