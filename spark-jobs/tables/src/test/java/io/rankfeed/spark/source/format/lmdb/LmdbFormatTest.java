package io.rankfeed.spark.source.format.lmdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.source.format.FormatDamage;
import io.rankfeed.spark.source.format.ReadFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An environment that lmdb 3.0.0 for Python wrote in two transactions; others are in {@code PeerFilesTest}. */
class LmdbFormatTest {
    private static final int PAGE = 4096;
    private static final int MAIN_FLAGS = 16 + 72 + 4;

    private final LmdbFormat format = new LmdbFormat();
    private byte[] sound;

    @TempDir
    Path folder;

    @BeforeEach
    void read() throws IOException {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/lmdb/data.mdb"))) {
            sound = in.readAllBytes();
        }
    }

    private static String value(int n) {
        byte[] value = new byte[n % 40 == 0 ? 5000 + n : n % 90];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) ((n * 31 + i) % 251);
        }
        return HexFormat.of().formatHex(value);
    }

    private Path written(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("data.mdb"), bytes);
    }

    private byte[] changed(int at, int value) {
        byte[] bytes = sound.clone();
        ByteBuffer little = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        little.putShort(at, (short) value);
        little.putShort(at + PAGE, (short) value);
        return bytes;
    }

    @Test
    void entries_ofTheLastTransaction_areRowsInTheOrderOfKeys() throws IOException {
        List<List<String>> expected = IntStream.range(0, 90)
                .filter(n -> n % 7 != 3)
                .mapToObj(String::valueOf)
                .sorted()
                .map(key -> List.of(HexFormat.of().formatHex(key.getBytes(US_ASCII)), value(Integer.parseInt(key))))
                .toList();

        ReadFile read = ReadFile.all(format, written(sound));

        assertThat(read.stored().rows()).hasValue(expected.size());
        List<String> columns = List.of("key", "value");
        assertThat(ReadFile.rows(format, folder.resolve("data.mdb"), columns)).isEqualTo(expected);
        assertThat(ReadFile.rows(format, folder.resolve("data.mdb"), List.of("key")))
                .isEqualTo(expected.stream().map(row -> row.subList(0, 1)).toList());
        assertThat(ReadFile.rows(format, folder.resolve("data.mdb"), List.of())).hasSize(expected.size());
    }

    @Test
    void environment_ofAnotherKind_isRefused() {
        assertThatThrownBy(() -> ReadFile.all(format, written(changed(MAIN_FLAGS, 4))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("data.mdb: its main database has several values of a key");
        assertThatThrownBy(() -> ReadFile.all(format, written(changed(20, 2))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has version 2 of LMDB's format");
        byte[] later = new byte[100_000];
        ByteBuffer.wrap(later)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(24, 0xBEEFC0DE)
                .putInt(28, 3);
        assertThatThrownBy(() -> ReadFile.all(format, written(later)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has version 3 of LMDB's format");
        assertThatThrownBy(() -> ReadFile.all(format, written(new byte[100_000])))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("is not a meta page of LMDB");
    }

    @Test
    void file_cutOff_isDamage() {
        for (int end : new int[] {0, 100, PAGE, 2 * PAGE, sound.length / 2}) {
            assertThatThrownBy(() -> ReadFile.all(format, written(java.util.Arrays.copyOf(sound, end))))
                    .as("%s bytes", end)
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("data.mdb");
        }
    }

    @Test
    void file_damaged_givesRowsOrAMessage() throws IOException {
        assertThat(FormatDamage.read(format, sound, folder.resolve("data.mdb"), 7, 600))
                .hasEntrySatisfying("refused", count -> assertThat(count).isGreaterThan(50));
    }
}
