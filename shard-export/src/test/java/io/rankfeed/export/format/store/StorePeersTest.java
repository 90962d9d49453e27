package io.rankfeed.export.format.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.testing.PythonEnvironment;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real libraries, in a Python environment of their own, read what we write. */
@Tag("nightly")
class StorePeersTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static final Field X = new Field("x", DType.FLOAT32, Shape.of(5), false);
    private static final Field Y = new Field("y", DType.INT32, Shape.scalar(), false);

    private static final Field TOKENS = new Field("tokens", DType.INT32, Shape.of(Shape.VARIABLE), false);
    private static final Field LENGTHS = new Field("member_lengths", DType.INT32, Shape.of(Shape.VARIABLE), false);

    private static final SampleSchema CAPTIONS = new SampleSchema(List.of(
            new Field("image", DType.BINARY, Shape.scalar(), false),
            new Field("caption", DType.STRING, Shape.scalar(), true),
            Y));

    @TempDir
    private Path folder;

    @Test
    void libraries_readEveryValue() throws Exception {
        long seed = Seed.of(StorePeersTest.class);
        DrawnRows drawn = DrawnRows.of(DrawnRows.schema(field -> true), 120, seed);
        ObjectNode expected = JSON.createObjectNode();
        fields(drawn.schema(), expected.putArray("fields"));
        ArrayNode rows = expected.putArray("rows");
        drawn.values().forEach(row -> values(drawn.schema(), row, rows.addArray()));
        write(drawn, new HuggingFace(), 50, "huggingface");
        write(StoreFiles.rows(drawn.schema(), List.of()), new HuggingFace(), 1, "huggingface-empty");
        FormatOptions parquet = FormatOptions.none().with("files", "parquet");
        StoreFiles.write(new HuggingFace(), drawn, 50, parquet, folder.resolve("parquet"));
        StoreFiles.write(
                new HuggingFace(),
                StoreFiles.rows(drawn.schema(), List.of()),
                parquet,
                folder.resolve("parquet-empty"));
        write(drawn, new Lmdb(), 120, "lmdb");
        write(images(3000), new Lmdb(), 3000, "lmdb-raw");
        write(images(0), new Lmdb(), 1, "lmdb-empty");
        expected.put("images", 3000);
        DrawnRows captions = DrawnRows.of(CAPTIONS, 400, seed);
        StoreFiles.write(
                new Lmdb(), captions, FormatOptions.none().with("value", "image"), folder.resolve("lmdb-value"));
        captions.values()
                .forEach(row ->
                        values(CAPTIONS, row, expected.withArray("captions").addArray()));

        SampleSchema numbers = DrawnRows.schema(
                field -> field.shape().rank() > 0 && !field.nullable() && TokenType.of(field.dtype()) != null);
        DrawnRows sequences = DrawnRows.of(numbers, 321, seed);
        write(sequences, new Megatron(), 321, "megatron");
        fields(numbers, expected.putArray("megatron"));
        ArrayNode sequenceRows = expected.putArray("sequences");
        sequences.values().forEach(row -> values(numbers, row, sequenceRows.addArray()));

        write(packed(expected.putArray("packed")), new Megatron(), 50, "megatron-packed");

        DrawnRows table = DrawnRows.of(new SampleSchema(List.of(X, Y)), 200, seed);
        write(table, new Enn(), 200, "enn");
        table.values().forEach(row -> expected.withArray("x").add(hex(row.get(0))));
        table.values().forEach(row -> expected.withArray("y").add(hex(row.get(1))));
        JSON.writeValue(folder.resolve("expected.json").toFile(), expected);

        assertThat(PythonEnvironment.output(PythonEnvironment.command(
                        "formats", "shard-export/src/test/python/read_stores.py", folder.toString())))
                .contains("120 rows, 112 fields");
    }

    /** Rows of several sequences each; a sequence may be empty. */
    private static DrawnRows packed(ArrayNode to) {
        Random random = new Random(Seed.of(StorePeersTest.class) + 1);
        List<List<byte[]>> rows = new ArrayList<>();
        for (int row = 0; row < 50; row++) {
            ByteBuffer tokens = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
            ByteBuffer lengths = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
            ArrayNode members = to.addArray();
            for (int member = 0; member <= row % 7; member++) {
                ArrayNode sequence = members.addArray();
                int length = random.nextInt(20);
                lengths.putInt(length);
                random.ints(length, 0, 1 << 30).forEach(token -> {
                    tokens.putInt(token);
                    sequence.add(token);
                });
            }
            rows.add(List.of(
                    Arrays.copyOf(tokens.array(), tokens.position()),
                    Arrays.copyOf(lengths.array(), lengths.position())));
        }
        return StoreFiles.rows(new SampleSchema(List.of(TOKENS, LENGTHS)), rows);
    }

    private static DrawnRows images(int count) {
        List<List<byte[]>> rows = new ArrayList<>();
        for (int row = 0; row < count; row++) {
            byte[] value = new byte[row * 37 % 9000];
            Arrays.fill(value, (byte) (row % 251));
            rows.add(List.of(value));
        }
        return StoreFiles.rows(
                new SampleSchema(List.of(new Field("image", DType.BINARY, Shape.scalar(), false))), rows);
    }

    private void write(DrawnRows drawn, Format format, int partRows, String name) throws IOException {
        StoreFiles.write(format, drawn, partRows, FormatOptions.none(), folder.resolve(name));
    }

    private static void fields(SampleSchema schema, ArrayNode to) {
        for (Field field : schema.fields()) {
            ObjectNode json = to.addObject()
                    .put("name", field.name())
                    .put("dtype", field.dtype().id());
            ArrayNode shape = json.putArray("shape");
            field.shape().dims().forEach(dim -> shape.add(dim == Shape.VARIABLE ? null : dim));
        }
    }

    /** Bytes in hexadecimal; of a list those of each item. */
    private static void values(SampleSchema schema, List<byte @Nullable []> row, ArrayNode to) {
        for (int field = 0; field < row.size(); field++) {
            byte[] value = row.get(field);
            if (value == null) {
                to.addNull();
            } else if (schema.fields().get(field).kind() == Field.Kind.LIST) {
                PackedList list = new PackedList(value, 0, value.length);
                ArrayNode items = to.addArray();
                int at = list.valuesOffset();
                for (int item = 0; item < list.count(); item++) {
                    items.add(HexFormat.of().formatHex(value, at, at + list.itemLength(item)));
                    at += list.itemLength(item);
                }
            } else {
                to.add(hex(value));
            }
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
