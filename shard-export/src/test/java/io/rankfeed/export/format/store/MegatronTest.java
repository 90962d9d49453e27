package io.rankfeed.export.format.store;

import static io.rankfeed.export.format.store.StoreFiles.ints;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.WrittenSet;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MegatronTest {
    private static final Field TOKENS = new Field("tokens", DType.INT32, Shape.of(Shape.VARIABLE), false);
    private static final Field MEMBERS = new Field("member_lengths", DType.INT32, Shape.of(Shape.VARIABLE), false);

    /** An index as docs/format/other-formats.md describes it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Index(int code, int[] lengths, long[] offsets, long[] documents) {}

    @TempDir
    private Path folder;

    @Test
    void sequence_ofEveryTypeAndShape_hasTheBytesOfItsRow() throws IOException {
        SampleSchema schema = DrawnRows.schema(field -> field.dtype() == DType.STRING
                || Format.isNumber(field)
                || (!field.nullable() && TokenType.of(field.dtype()) != null));
        DrawnRows drawn = DrawnRows.of(schema, 700, Seed.of(MegatronTest.class));
        write(drawn, FormatOptions.none());

        int read = 0;
        for (int field = 0; field < schema.fields().size(); field++) {
            Field declared = schema.fields().get(field);
            if (declared.shape().rank() == 0 || declared.dtype() == DType.STRING) {
                assertThat(folder.resolve("train/" + declared.name() + "_document.bin"))
                        .doesNotExist();
                continue;
            }
            Index index = index(declared.name(), declared.dtype().sizeBytes());
            byte[] bin = bin(declared.name());
            assertThat(index.lengths).hasSize(700);
            for (int row = 0; row < 700; row++) {
                int from = (int) index.offsets[row];
                byte[] value = Arrays.copyOfRange(
                        bin, from, from + index.lengths[row] * declared.dtype().sizeBytes());
                assertThat(value).isEqualTo(drawn.values().get(row).get(field));
                assertThat(index.documents[row]).isEqualTo(row);
            }
            read++;
        }
        assertThat(read).isEqualTo(9 * 3);
    }

    @Test
    void packedRow_isADocumentWithASequenceForEachMember() throws IOException {
        DrawnRows drawn = StoreFiles.rows(
                new SampleSchema(List.of(MEMBERS, TOKENS)),
                List.of(List.of(ints(2, 1), ints(7, 8, 9)), List.of(ints(), ints()), List.of(ints(2), ints(5, 70000))));
        write(drawn, FormatOptions.none());

        Index index = index("tokens", 4);
        assertThat(index.code).isEqualTo(4);
        assertThat(index.lengths).containsExactly(2, 1, 2);
        assertThat(index.offsets).containsExactly(0, 8, 12);
        assertThat(index.documents).containsExactly(0, 2, 2, 3);
        assertThat(bin("tokens")).isEqualTo(ints(7, 8, 9, 5, 70000));
        assertThat(index("member_lengths", 4).lengths).containsExactly(2, 0, 1);
    }

    @Test
    void members_ofAnotherSum_areCorruptedData() {
        DrawnRows drawn = StoreFiles.rows(
                new SampleSchema(List.of(MEMBERS, TOKENS)), List.of(List.of(ints(2, 2), ints(7, 8, 9))));

        assertThatThrownBy(() -> write(drawn, FormatOptions.none()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("row 1000: column 'tokens' has 3 tokens");
    }

    @Test
    void tokens_asUint16_areRefusedWhereTheyDoNotFit() throws IOException {
        FormatOptions options = FormatOptions.none().with("dtype", "uint16");
        SampleSchema schema = new SampleSchema(List.of(TOKENS));
        write(StoreFiles.rows(schema, List.of(List.of(ints(0, 65535)), List.of(ints(3)))), options);

        Index index = index("tokens", 2);
        assertThat(index.code).isEqualTo(8);
        assertThat(bin("tokens")).containsExactly(0, 0, 255, 255, 3, 0);
        for (int token : new int[] {65536, -1}) {
            assertThatThrownBy(() -> write(StoreFiles.rows(schema, List.of(List.of(ints(token)))), options))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("the value " + token + ", which uint16 does not hold");
        }
    }

    @Test
    void dataset_withoutRows_hasAnEmptyIndex() throws IOException {
        write(StoreFiles.rows(new SampleSchema(List.of(TOKENS)), List.of()), FormatOptions.none());

        assertThat(index("tokens", 4).documents).containsExactly(0);
    }

    @Test
    void column_thatCannotBeASequence_isRefused() {
        for (Field field : List.of(
                new Field("image", DType.BINARY, Shape.scalar(), false),
                new Field("id", DType.INT64, Shape.scalar(), false),
                new Field("x", DType.FLOAT16, Shape.of(2), false),
                new Field("x", DType.UINT64, Shape.of(2), false),
                new Field("x", DType.INT32, Shape.of(2), true))) {
            DrawnRows drawn = StoreFiles.rows(new SampleSchema(List.of(TOKENS, field)), List.of());
            assertThatThrownBy(() -> new Megatron().check(WrittenSet.set(drawn, 1, FormatOptions.none())))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("format megatron cannot store column '" + field.name() + "'");
        }
    }

    private void write(DrawnRows drawn, FormatOptions options) throws IOException {
        StoreFiles.write(new Megatron(), drawn, options, folder);
    }

    private byte[] bin(String column) throws IOException {
        return Files.readAllBytes(folder.resolve("train/" + column + "_document.bin"));
    }

    private Index index(String column, int width) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("train/" + column + "_document.idx")))
                .order(ByteOrder.LITTLE_ENDIAN);
        byte[] magic = new byte[9];
        file.get(magic);
        assertThat(magic).containsExactly('M', 'M', 'I', 'D', 'I', 'D', 'X', 0, 0);
        assertThat(file.getLong()).isEqualTo(1);
        int code = file.get();
        int[] lengths = new int[(int) file.getLong()];
        long[] documents = new long[(int) file.getLong()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = file.getInt();
        }
        long[] offsets = new long[lengths.length];
        long end = 0;
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = file.getLong();
            assertThat(offsets[i]).isEqualTo(end);
            end += (long) lengths[i] * width;
        }
        for (int i = 0; i < documents.length; i++) {
            documents[i] = file.getLong();
        }
        assertThat(file.remaining()).isZero();
        assertThat(bin(column)).hasSize((int) end);
        return new Index(code, lengths, offsets, documents);
    }
}
