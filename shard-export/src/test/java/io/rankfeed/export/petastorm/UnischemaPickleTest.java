package io.rankfeed.export.petastorm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.petastorm.UnischemaCodec.CompressedImage;
import io.rankfeed.export.petastorm.UnischemaCodec.CompressedNdarray;
import io.rankfeed.export.petastorm.UnischemaCodec.Ndarray;
import io.rankfeed.export.petastorm.UnischemaCodec.None;
import io.rankfeed.export.petastorm.UnischemaCodec.Scalar;
import io.rankfeed.schema.failure.CorruptDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnischemaPickleTest {
    private static final Unischema EVERYTHING = new Unischema(
            "Everything",
            List.of(
                    new UnischemaField("id", NumpyType.INT64, List.of(), new Scalar("LongType"), false),
                    new UnischemaField("small", NumpyType.UINT8, List.of(), new Scalar("ShortType"), false),
                    new UnischemaField("flag", NumpyType.BOOL, List.of(), new None(), true),
                    new UnischemaField("name", NumpyType.STR, List.of(), new Scalar("StringType"), true),
                    new UnischemaField("raw", NumpyType.BYTES, List.of(), new Scalar("BinaryType"), true),
                    new UnischemaField("price", NumpyType.DECIMAL, List.of(), new Scalar("DecimalType"), false),
                    new UnischemaField("matrix", NumpyType.FLOAT32, List.of(-1, 3), new Ndarray(), true),
                    new UnischemaField("packed", NumpyType.UINT16, List.of(2, 2), new CompressedNdarray(), false),
                    new UnischemaField(
                            "image", NumpyType.UINT8, List.of(4, 4, 3), new CompressedImage("png", 80), false),
                    new UnischemaField(
                            "photo", NumpyType.UINT8, List.of(-1, -1, 3), new CompressedImage("jpeg", 90), true)));

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void whatPetastormWroteIsReadInEveryProtocol(int protocol) {
        assertThat(read(PickleFiles.ofPetastorm(protocol))).isEqualTo(EVERYTHING);
    }

    @Test
    void whatIsWrittenIsReadAndIsAscii() {
        byte[] written = UnischemaPickler.write(EVERYTHING);
        assertThat(read(written)).isEqualTo(EVERYTHING);
        assertThat(written).matches(bytes -> new String(bytes, java.nio.charset.StandardCharsets.US_ASCII)
                .chars()
                .allMatch(c -> c == '\n' || (c >= ' ' && c <= '~')));
    }

    @Test
    void namedTuples_ofPython2AndSpark_areReadByMemberNames() {
        String ndarray = "g1\n(cpetastorm.codecs\nNdarrayCodec\ng3\nNtR";
        assertThat(read(PickleFiles.of(PickleFiles.ofPython2(ndarray))).fields())
                .containsExactly(new UnischemaField("m", NumpyType.BYTES, List.of(-1, 3), new Ndarray(), true));
        String moved = "g1\n(cav.experimental.deepdrive.dataset_toolkit.codecs\nNdarrayCodec\ng3\nNtR";
        assertThat(read(PickleFiles.of(PickleFiles.ofPython2(moved))))
                .isEqualTo(read(PickleFiles.of(PickleFiles.ofPython2(ndarray))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cos\nsystem\n(S'touch /tmp/trace'\ntR.",
                "cposix\nsystem\n(S'touch /tmp/trace'\ntR.",
                "c__builtin__\neval\n(S'1+1'\ntR.",
                "cbuiltins\nexec\n(S'1'\ntR.",
                "cbuiltins\ngetattr\n(cpetastorm.codecs\nnp\nS'load'\ntR.",
                "cnumpy\nload\n(S'x.npy'\ntR.",
                "cnumpy.core.multiarray\n_reconstruct\n(tR.",
                "cnumpy\nint64\n(I1\ntR.",
                "cpetastorm.unischema\nsys\n.",
                "cpetastorm.codecs\nBytesIO\n(tR.",
                "cpetastorm\nunischema.sys.modules\n.",
                "ccollections\nnamedtuple\n(S'a'\nS'b'\ntR.",
                "cpyspark.serializers\nCloudPickleSerializer\n(tR.",
                "cpyspark.serializers\n_restore\n(S'Other'\n(S'name'\nt(S'x'\nttR.",
                "cdecimal\nDecimal\n(S'1'\ntR.",
                "ccopy_reg\n_reconstructor\n(cdecimal\nDecimal\nc__builtin__\nobject\nNtR.",
                "ccopy_reg\n_reconstructor\n(cpetastorm.codecs\nScalarCodec\nc__builtin__\ntuple\n(ttR.",
                "(ios\nsystem\n(S'x'\n.",
                "(S'x'\ncos\nsystem\no.",
                "Pid\n.",
                "\u0082\u0001.",
                "\u0080\u0004\u008c\u0002os\u008c\u0006system\u0093\u008c\u0001x\u0085R.",
                "\u0080\u0004\u008c\u0008builtins\u008c\u0004eval\u0093\u008c\u00031+1\u0085\u0081.",
                "\u0080\u0004\u008c\u0013petastorm.unischema\u008c\u0009Unischema\u0093)}\u0092.",
                "\u0080\u0006N.",
                "c__builtin__\nint\n}b.",
                "N.",
                "(lp0\ng0\na.",
                "g7\n.",
                ".",
                ""
            })
    void whatIsNoUnischemaIsRefusedWhereItBegins(String pickle) {
        assertThatThrownBy(() -> read(PickleFiles.of(pickle)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("x, byte ")
                .hasMessageContaining("not executed");
    }

    @Test
    void theFirstForbiddenNameIsReportedWithItsByte() {
        byte[] honest = PickleFiles.ofPetastorm(0);
        byte[] payload = PickleFiles.of("(cos\nsystem\n(S'touch trace'\ntRl0");
        byte[] both = new byte[honest.length + payload.length];
        System.arraycopy(payload, 0, both, 0, payload.length);
        System.arraycopy(honest, 0, both, payload.length, honest.length);
        assertThatThrownBy(() -> UnischemaPickle.read(both, "f/_common_metadata", 1000))
                .hasMessageContaining("f/_common_metadata, byte 1001: ")
                .hasMessageContaining("os.system");
    }

    @Test
    void lengths_beyondTheFile_allocateNothing() {
        for (String pickle : List.of(
                "X\u00FF\u00FF\u00FF\u007F.",
                "T\u00FF\u00FF\u00FF\u00FF.",
                "\u0095\u00FF\u00FF\u00FF\u00FF\u00FF\u00FF\u00FF\u007F.",
                "\u008a\u00FF.",
                "NNp99999999999\n.")) {
            assertThatThrownBy(() -> read(PickleFiles.of(pickle))).isInstanceOf(CorruptDataException.class);
        }
    }

    @Test
    void list_recalledManyTimes_isNotCopied() {
        StringBuilder pickle = new StringBuilder("(lp0\n");
        for (int i = 0; i < 1000; i++) {
            pickle.append("(NNla");
        }
        pickle.append("p0\n0");
        for (int i = 0; i < 1000; i++) {
            pickle.append("ccollections\nOrderedDict\n(g0\ntR");
        }
        assertThatThrownBy(() -> read(PickleFiles.of(pickle + "."))).hasMessageContaining("pairs");
    }

    @Test
    void stepsAreBounded() {
        assertThatThrownBy(() -> read(PickleFiles.of("N0".repeat(1 << 20)))).hasMessageContaining("steps");
    }

    @Test
    void damagedPickle_anyByte_isReadOrRefused() {
        long seed = 20_26;
        Random random = new Random(seed);
        List<byte[]> honest = new ArrayList<>(List.of(UnischemaPickler.write(EVERYTHING)));
        for (int protocol = 0; protocol <= 5; protocol++) {
            honest.add(PickleFiles.ofPetastorm(protocol));
        }
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = honest.get(random.nextInt(honest.size())).clone();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            byte[] damaged =
                    random.nextInt(4) == 0 ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
            try {
                assertThat(read(damaged).fields())
                        .as("seed %d, round %d", seed, i)
                        .isNotEmpty();
            } catch (CorruptDataException e) {
                refused++;
            }
        }
        assertThat(refused).as("seed %d", seed).isGreaterThan(10_000);
    }

    private static Unischema read(byte[] pickle) {
        return UnischemaPickle.read(pickle, "x", 0);
    }
}
