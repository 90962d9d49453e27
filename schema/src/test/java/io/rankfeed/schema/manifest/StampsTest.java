package io.rankfeed.schema.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StampsTest {
    private static final String LIST = "0a".repeat(32);

    @TempDir
    Path folder;

    private Stamps written() throws IOException {
        return written(new Stamps(
                Path.of("/data/a \"é"), LIST, new long[] {0, 1L << 40}, new long[] {-1, 1_700_000_000_123_456_789L}));
    }

    private Stamps written(Stamps stamps) throws IOException {
        stamps.write(folder);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve(Stamps.FILE_NAME));
        }
        return stamps;
    }

    @Test
    void stamps_areReadAsWritten_andReplaced() throws IOException {
        written(new Stamps(Path.of("/"), LIST, new long[0], new long[0]));
        assertThat(Stamps.read(folder).files()).isZero();
        written();

        Stamps read = Stamps.read(folder);

        assertThat(read.root()).isEqualTo(Path.of("/data/a \"é"));
        assertThat(read.list()).isEqualTo(LIST);
        assertThat(read.files()).isEqualTo(2);
        assertThat(read.bytes(1)).isEqualTo(1L << 40);
        assertThat(read.modified(0)).isEqualTo(-1);
        assertThat(read.modified(1)).isEqualTo(1_700_000_000_123_456_789L);
        assertThat(Files.readString(folder.resolve(Stamps.FILE_NAME)))
                .isEqualTo("{\"files\":2,\"list\":\"" + LIST + "\",\"root\":\"/data/a \\\"é\"}\n"
                        + "0 -1\n1099511627776 1700000000123456789\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{}\n",
                "{'files':2,'list':'L','root':'/d'}\n0 0\n",
                "{'files':2147483647,'list':'L','root':'/d'}\n0 0\n",
                "{'files':1,'list':'L','root':'/d'}\n0 0\n0 0\n",
                "{'files':1,'list':'L','root':'d'}\n0 0\n",
                "{'files':1,'list':'l','root':'/d'}\n0 0\n",
                "{'files':1,'list':'L','root':'/\\u0000'}\n0 0\n",
                "{'files':1,'list':'L','root':'/d'}\n-1 0\n",
                "{'files':1,'list':'L','root':'/d'}\n 00\n",
                "{'files':1,'list':'L','root':'/d'}\n9223372036854775808 0\n",
                "{'files':1,'list':'L','root':'/d'}\n0 10000000000000000000\n",
                "{'files':1,'list':'L','root':'/d'}\n0 0 \n",
            })
    void damagedFile_isRefusedWithItsPath(String text) throws IOException {
        Files.writeString(
                folder.resolve(Stamps.FILE_NAME), text.replace('\'', '"').replace("L", LIST));

        assertThatThrownBy(() -> Stamps.read(folder))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith(folder.resolve(Stamps.FILE_NAME).toString());
    }

    @Test
    void missingFileOrLink_isRefusedWithWhatToDo() throws IOException {
        assertThatThrownBy(() -> Stamps.read(folder)).hasMessageContaining("import the dataset again");
        written();
        Files.move(folder.resolve(Stamps.FILE_NAME), folder.resolve("other"));
        Files.createSymbolicLink(folder.resolve(Stamps.FILE_NAME), folder.resolve("other"));
        assertThatThrownBy(() -> Stamps.read(folder)).isInstanceOf(CorruptDataException.class);
    }

    /** A file that is cut or changed anywhere is refused, or states other numbers; no other exception is thrown. */
    @Test
    void drawnDamage_isRefusedOrRead() throws IOException {
        written();
        Path file = folder.resolve(Stamps.FILE_NAME);
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(Seed.of(StampsTest.class));
        int refused = 0;
        for (int i = 0; i < Seed.cases(300); i++) {
            byte[] damaged = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
            damaged[random.nextInt(damaged.length)] = random.nextBoolean()
                    ? (byte) random.nextInt(256)
                    : "0129 -\n{}".getBytes(StandardCharsets.US_ASCII)[random.nextInt(9)];
            Files.write(file, damaged);
            try {
                assertThat(Stamps.read(folder).files()).isBetween(0, 2);
            } catch (RankfeedException e) {
                assertThat(e.getMessage()).contains(file.toString());
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }
}
