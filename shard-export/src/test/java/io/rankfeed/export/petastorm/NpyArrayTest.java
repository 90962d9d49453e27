package io.rankfeed.export.petastorm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NpyArrayTest {
    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"BFLOAT16", "STRING", "BINARY"})
    void tensorsOfEveryTypeComeBackAsTheyWere(DType dtype) throws Unfit {
        byte[] packed = new byte[dtype.sizeBytes() * 12];
        new Random(3).nextBytes(packed);
        for (Shape shape : List.of(Shape.of(-1, 3), Shape.of(4, 3), Shape.of(12), Shape.of(-1, 2, 2, 1))) {
            int headBytes = PetastormTable.headBytes("x", dtype, shape);
            byte[] npy = PetastormTable.array(dtype, shape, headBytes, packed);
            assertThat(headBytes % 64).isZero();
            assertThat(Arrays.copyOfRange(npy, headBytes, npy.length)).isEqualTo(packed);
            UnischemaField field =
                    field(NumpyType.of(dtype).orElseThrow(), shape.dims().toArray(Integer[]::new));
            assertThat(NpyArray.of(field, npy).packed()).isEqualTo(packed);
            assertThat(NpyHeader.parse(npy).lengthBytes()).isEqualTo(headBytes);
        }
    }

    @Test
    void theHeadHasOneLengthForEveryRowOfAColumn() {
        Shape shape = Shape.of(-1, 1_000_000, 1000);
        int headBytes = PetastormTable.headBytes("x", DType.UINT8, shape);
        assertThat(PetastormTable.array(DType.UINT8, shape, headBytes, new byte[0]))
                .hasSize(headBytes);
        assertThat(PetastormTable.headBytes("x", DType.FLOAT32, Shape.of(-1, 1, 1, 1, 1, 1, 1, 1)))
                .isEqualTo(128);
    }

    @Test
    void bigEndianAndColumnMajorArraysAreTurned() throws Unfit {
        byte[] big = npy("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", 1, 2, 3, 4);
        assertThat(NpyArray.of(field(NumpyType.INT16, -1), big).packed()).containsExactly(2, 1, 4, 3);
        byte[] columns = npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", 0, 3, 1, 4, 2, 5);
        assertThat(NpyArray.of(field(NumpyType.UINT8, 2, 3), columns).packed()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void textAndShapesThatNoTensorHasBecomeLists() throws Unfit {
        byte[] text = npy("{'descr': '|S3', 'fortran_order': False, 'shape': (2L,), }", 'a', 'b', 0, 0, 0, 0);
        assertThat((List<?>) NpyArray.of(field(NumpyType.BYTES, -1), text).nested())
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .containsExactly("ab".getBytes(StandardCharsets.US_ASCII), new byte[0]);
        byte[] wide = npy("{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }", 0xE9, 0, 0, 0, 0, 0, 0, 0);
        assertThat(NpyArray.of(field(NumpyType.STR, -1), wide).nested()).isEqualTo(List.of("é"));
        byte[] numbers = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1), }", 255, 7);
        assertThat(NpyArray.of(field(NumpyType.UINT8, -1, -1), numbers).nested())
                .isEqualTo(List.of(List.of((short) 255), List.of((short) 7)));
        byte[] halves = npy("{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }", 0, 0x3C, 1, 0, 0, 0xFC);
        assertThat(NpyArray.of(field(NumpyType.FLOAT16, -1), halves).nested())
                .isEqualTo(List.of(1f, 0x1p-24f, Float.NEGATIVE_INFINITY));
    }

    @Test
    void array_contradictingItsField_isUnfit() {
        UnischemaField field = field(NumpyType.UINT8, 2, -1);
        for (byte[] wrong : List.of(
                npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 1), }", 1, 2, 3),
                npy("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 1), }", 1, 2),
                npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }", 1, 2, 3),
                npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", 1, 2),
                npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 9999999999), }", 1, 2),
                npy("{'descr': '|O', 'fortran_order': False, 'shape': (2, 1), }", 1, 2),
                npy("{'descr': [('a', '|u1')], 'fortran_order': False, 'shape': (2, 1), }", 1, 2),
                new byte[0],
                new byte[200])) {
            assertThatThrownBy(() -> NpyArray.of(field, wrong)).isInstanceOf(Unfit.class);
        }
    }

    @Test
    void itemsWithoutBytesAreNotMadeInAnyNumber() throws Unfit {
        byte[] nothing = npy("{'descr': '|S0', 'fortran_order': False, 'shape': (2000000000,), }");
        assertThatThrownBy(
                        () -> NpyArray.of(field(NumpyType.BYTES, -1), nothing).nested())
                .isInstanceOf(Unfit.class)
                .hasMessageContaining("shape [2000000000]");
        byte[] lists = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1024, 1024, 1024, 0), }");
        assertThatThrownBy(() -> NpyArray.of(field(NumpyType.UINT8, -1, -1, -1, -1), lists)
                        .nested())
                .isInstanceOf(Unfit.class);
        byte[] few = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1000, 1, 0), }");
        assertThat((List<?>)
                        NpyArray.of(field(NumpyType.UINT8, -1, -1, -1), few).nested())
                .hasSize(1000);
    }

    @Test
    void damagedArraysAreReadOrUnfitAndNothingElse() {
        long seed = 11;
        Random random = new Random(seed);
        byte[] honest = npy("{'descr': '<U2', 'fortran_order': True, 'shape': (2, 1), }", new int[16]);
        int unfit = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = honest.clone();
            for (int flips = random.nextInt(3); flips >= 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(NpyArray.of(field(NumpyType.STR, -1, -1), bytes).nested())
                        .as("seed %d, round %d", seed, i)
                        .isInstanceOf(List.class);
            } catch (Unfit e) {
                unfit++;
            }
        }
        assertThat(unfit).isGreaterThan(1000);
    }

    @Test
    void zip_ofOneArray_isReadNoFurtherThanItsShape() throws IOException, Unfit {
        byte[] npy = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", 1, 2);
        assertThat(NpyZip.unzipped(zip("arr.npy", npy), 2)).isEqualTo(npy);
        assertThatThrownBy(() -> NpyZip.unzipped(zip("../arr.npy", npy), 2)).isInstanceOf(Unfit.class);
        assertThatThrownBy(() -> NpyZip.unzipped(npy, 2)).isInstanceOf(Unfit.class);
        assertThatThrownBy(() -> NpyZip.unzipped(zip("arr.npy", new byte[1 << 20]), 2))
                .isInstanceOf(Unfit.class)
                .hasMessageContaining("unzips to more than");
        assertThatThrownBy(() -> NpyZip.unzipped(zip("arr.npy", npy, "more.npy", npy), 2))
                .isInstanceOf(Unfit.class)
                .hasMessageContaining("more than one");
    }

    static UnischemaField field(NumpyType type, Integer... shape) {
        return new UnischemaField("x", type, List.of(shape), new UnischemaCodec.Ndarray(), false);
    }

    private static byte[] npy(String head, int... elements) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) (head.length() + 1), 0});
        out.writeBytes((head + "\n").getBytes(StandardCharsets.US_ASCII));
        Arrays.stream(elements).forEach(out::write);
        return out.toByteArray();
    }

    private static byte[] zip(Object... namesAndBytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (int i = 0; i < namesAndBytes.length; i += 2) {
                zip.putNextEntry(new ZipEntry((String) namesAndBytes[i]));
                zip.write((byte[]) namesAndBytes[i + 1]);
            }
        }
        return out.toByteArray();
    }
}
