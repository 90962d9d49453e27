package io.rankfeed.export.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.WrittenSet;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LmdbTest {
    private static final SampleSchema BYTES =
            new SampleSchema(List.of(new Field("image", DType.BINARY, Shape.scalar(), false)));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 9, 10, 11, 100, 101, 2345, 60_000})
    void tree_ofAnyNumberOfRows_hasEveryValueUnderItsIndex(int count) throws IOException {
        Random random = new Random(Seed.of(LmdbTest.class) + count);
        List<List<byte[]>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] value = new byte[random.nextInt(random.nextInt(1 + count / 20) == 0 ? 20_000 : 40)];
            random.nextBytes(value);
            rows.add(List.of(value));
        }
        DrawnRows drawn = StoreFiles.rows(BYTES, rows);

        Map<String, byte[]> entries = LmdbReader.read(write(drawn));

        assertThat(entries).hasSize(count + 1);
        assertThat(entries.get("__len__")).asString().isEqualTo(Integer.toString(count));
        for (int i = 0; i < count; i++) {
            assertThat(entries.get(Integer.toString(i)))
                    .isEqualTo(drawn.values().get(i).get(0));
        }
    }

    @Test
    void value_ofTheLengthAtWhichOverflowPagesBegin_isWhereLmdbHasIt() throws IOException {
        List<List<byte[]>> rows = new ArrayList<>();
        for (int length : new int[] {2028, 2029, 2030, 4079, 4080, 4081, 8176, 8177, 0}) {
            rows.add(List.of(new byte[length]));
        }

        Map<String, byte[]> entries = LmdbReader.read(write(StoreFiles.rows(BYTES, rows)));

        assertThat(entries.get("6")).hasSize(8176);
        assertThat(entries.get("8")).isEmpty();
    }

    /** A branch page has room for about 290 children, and the last page of a level must not have one alone. */
    @Test
    void branch_ofEveryNumberOfLeaves_hasTwoChildren() throws IOException {
        for (int leaves = 1; leaves < 310; leaves += leaves < 4 || leaves >= 275 ? 1 : 271) {
            List<List<byte[]>> rows = new ArrayList<>();
            for (int i = 0; i < 2 * leaves; i++) {
                rows.add(List.of(new byte[1990]));
            }
            assertThat(LmdbReader.read(write(StoreFiles.rows(BYTES, rows)))).hasSize(2 * leaves + 1);
        }
    }

    @Test
    void rerun_writesEqualBytesAndLeavesNoTemporaryFiles() throws IOException {
        DrawnRows drawn = DrawnRows.of(DrawnRows.schema(field -> true), 30, Seed.of(LmdbTest.class));

        assertThat(write(drawn)).isEqualTo(write(drawn));
    }

    @Test
    void row_ofEveryType_isMessagePack() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("n", DType.INT32, Shape.scalar(), false),
                new Field("x", DType.FLOAT32, Shape.of(Shape.VARIABLE, 2), false),
                new Field("t", DType.STRING, Shape.of(Shape.VARIABLE), true)));
        byte[] number = {(byte) 0xFE, -1, -1, -1};
        byte[] list = PackedList.of(List.of("ä".getBytes(StandardCharsets.UTF_8), new byte[0]));
        DrawnRows drawn = StoreFiles.rows(schema, List.of(List.of(number, new byte[16], list)));

        byte[] value = LmdbReader.read(write(drawn)).get("0");

        // {"n": -2, "x": {b"nd": True, b"type": "<f4", b"kind": b"", b"shape": [2, 2], b"data": 16 zeros}, "t": ["ä",
        // ""]}
        assertThat(value)
                .asHexString()
                .isEqualToIgnoringCase("83A16EFEA17885C4026E64C3C40474797065A33C6634C4046B696E64C400C405736861706592"
                        + "0202C40464617461C410" + "00".repeat(16) + "A17492A2C3A4A0");
    }

    /** The folder of the environment has room: the message must not name it. */
    @Test
    void temporaryFile_thatCannotBeWritten_isNamed() throws IOException {
        Path absent = folder.resolve("absent");
        assertThatThrownBy(() -> new LmdbFile(absent))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("cannot write temporary files of format lmdb to " + absent)
                .hasMessageEndingWith("java.io.tmpdir names their folder");
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full));
        try (OutputStream spooled = new LmdbFile.Spooled(full)) {
            assertThatThrownBy(() -> spooled.write(new byte[10]))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("to /dev/full: ");
        }
    }

    @Test
    void column_unknown_isNamedWithTheOption() {
        SampleSchema schema = new SampleSchema(List.of(new Field("image", DType.BINARY, Shape.scalar(), false)));
        FormatOptions options = FormatOptions.none().with("value", "imag");
        assertThatThrownBy(() -> new Lmdb().check(WrittenSet.set(StoreFiles.rows(schema, List.of()), 1, options)))
                .isInstanceOf(ConfigException.class)
                .hasMessage("format lmdb: value: unknown column 'imag'; did you mean 'image'?");
    }

    @Test
    void otherColumn_nextToAValueOfOneColumn_isInTheMetadataOrRefused() {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("image", DType.BINARY, Shape.scalar(), false),
                new Field("label", DType.INT64, Shape.scalar(), true),
                new Field("box", DType.FLOAT32, Shape.of(4), false)));
        FormatOptions options = FormatOptions.none().with("value", "image");
        DrawnRows drawn = StoreFiles.rows(schema, List.of());

        assertThatThrownBy(() -> new Lmdb().check(WrittenSet.set(drawn, 1, options)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("format lmdb cannot store column 'box' (float32 [4])");
        assertThat(new Lmdb().metadataFields(WrittenSet.set(drawn, 1, options))).containsExactly(1, 2);
        assertThatThrownBy(() -> new Lmdb().check(WrittenSet.set(drawn, 1, options.with("value", "label"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("never null");
    }

    @Test
    void valueOfOneColumn_hasTheOthersAsJson() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("text", DType.STRING, Shape.scalar(), true),
                new Field("image", DType.BINARY, Shape.scalar(), false),
                new Field("label", DType.INT32, Shape.scalar(), false),
                new Field("tags", DType.STRING, Shape.of(Shape.VARIABLE), false)));
        Random random = new Random(Seed.of(LmdbTest.class));
        List<List<byte[]>> rows = new ArrayList<>();
        for (int i = 0; i < 1500; i++) {
            byte[] image = new byte[random.nextInt(5000)];
            random.nextBytes(image);
            byte[] text = "x".repeat(i % 97 == 0 ? 3000 : i % 30).getBytes(StandardCharsets.UTF_8);
            rows.add(List.of(text, image, StoreFiles.ints(-i), PackedList.of(List.of(text, new byte[] {'"'}))));
        }
        DrawnRows drawn = StoreFiles.rows(schema, rows);
        StoreFiles.write(new Lmdb(), drawn, FormatOptions.none().with("value", "image"), folder);

        Map<String, byte[]> entries = LmdbReader.read(Files.readAllBytes(folder.resolve("train/data.mdb")));
        assertThat(entries).hasSize(2 * 1500 + 1);
        for (int i = 0; i < 1500; i++) {
            assertThat(entries.get(Integer.toString(i))).isEqualTo(rows.get(i).get(1));
            String text = new String(rows.get(i).get(0), StandardCharsets.UTF_8);
            assertThat(entries.get("meta:" + i))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("{\"id\": " + (StoreFiles.FIRST_ID + i) + ", \"text\": \"" + text + "\", \"label\": "
                            + -i + ", \"tags\": [\"" + text + "\",\"\\\"\"]}");
        }
    }

    private byte[] write(DrawnRows drawn) throws IOException {
        StoreFiles.write(new Lmdb(), drawn, FormatOptions.none(), folder);
        return Files.readAllBytes(folder.resolve("train/data.mdb"));
    }
}
