package io.rankfeed.schema.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumTest {
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void sha256_bytesStreamAndFile_giveTheStandardVector(@TempDir Path folder) throws IOException {
        byte[] abc = "abc".getBytes(StandardCharsets.US_ASCII);
        assertThat(Sha256.hex(abc)).isEqualTo(ABC);
        assertThat(Sha256.hex(new ByteArrayInputStream(abc))).isEqualTo(ABC);
        assertThat(Sha256.hex(Files.write(folder.resolve("abc"), abc))).isEqualTo(ABC);
    }

    @Test
    void crc32c_ofBuffer_keepsItsPosition() {
        ByteBuffer digits = ByteBuffer.wrap("x123456789".getBytes(StandardCharsets.US_ASCII))
                .position(1);
        assertThat(Crc32c.of(digits)).isEqualTo(0xe3069283);
        assertThat(digits.position()).isEqualTo(1);
        assertThat(Crc32c.of("123456789".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0xe3069283);
    }
}
