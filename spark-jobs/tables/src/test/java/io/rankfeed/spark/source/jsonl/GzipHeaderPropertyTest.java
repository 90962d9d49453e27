package io.rankfeed.spark.source.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.testing.Seed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Members with every optional field of RFC 1952, of drawn bytes; java.util.zip reads the same from each. */
class GzipHeaderPropertyTest {
    private static final int FILES = 300;
    private static final HexFormat HEX = HexFormat.of();

    /** Made by Python: gzip with a name, zlib with wbits=31, and a block of bgzip with its end of file. */
    private static final String[] MADE = {
        "1f8b08080100000002ff612e6a736f6e6c00ab564a54b25230ace50200faa1475c09000000",
        "1f8b0800000000000003ab564a54b25230aae50200a31f015e09000000",
        "1f8b08040000000000ff0600424302002400ab564a54b25230aee502009475c35f09000000",
        "1f8b08040000000000ff0600424302001b0003000000000000000000",
    };

    @Test
    void files_ofOtherTools_areRead() throws IOException {
        assertThat(new String(read(HEX.parseHex(String.join("", MADE))), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n");
    }

    @Test
    void fields_drawn_areSkipped() throws IOException {
        long seed = Seed.of(GzipHeaderPropertyTest.class);
        Random random = new Random(seed);
        for (int i = 0; i < FILES; i++) {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (int m = random.nextInt(4); m >= 0; m--) {
                byte[] member = member(random, expected);
                assertThat(new GZIPInputStream(new ByteArrayInputStream(member)).readAllBytes())
                        .isEqualTo(read(member));
                file.write(member);
            }
            assertThat(read(file.toByteArray()))
                    .as("file %d of seed %d", i, seed)
                    .isEqualTo(expected.toByteArray());
        }
    }

    @Test
    void header_cutOrChanged_isCorrupted() throws IOException {
        long seed = Seed.of(GzipHeaderPropertyTest.class);
        Random random = new Random(seed);
        for (int i = 0; i < FILES; i++) {
            byte[] member = member(random, new ByteArrayOutputStream());
            assertCorrupted(Arrays.copyOf(member, 1 + random.nextInt(member.length - 1)));
            if ((member[3] & 2) != 0) {
                // The modification time: only the header's CRC shows it.
                member[4 + random.nextInt(4)] ^= (byte) (1 << random.nextInt(8));
                assertCorrupted(member);
            }
        }
    }

    private static void assertCorrupted(byte[] file) {
        assertThatExceptionOfType(GzipMembers.CorruptedException.class)
                .isThrownBy(() -> read(file))
                .withMessageStartingWith("invalid gzip data in the member that starts at byte 0: ");
    }

    private static byte[] read(byte[] file) throws IOException {
        return new GzipMembers(new ByteArrayInputStream(file)).readAllBytes();
    }

    /** @param content receives what is compressed */
    private static byte[] member(Random random, ByteArrayOutputStream content) throws IOException {
        int flags = random.nextInt(16) << 1;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[] {0x1F, (byte) 0x8B, 8, (byte) flags});
        byte[] rest = new byte[6];
        random.nextBytes(rest);
        out.write(rest);
        if ((flags & 4) != 0) {
            int length = new int[] {0, 1, random.nextInt(64), 0xFFFF}[random.nextInt(4)];
            byte[] extra = new byte[length];
            random.nextBytes(extra);
            out.write(length & 0xFF);
            out.write(length >> 8);
            out.write(extra);
        }
        for (int text : new int[] {8, 16}) {
            if ((flags & text) != 0) {
                random.ints(random.nextInt(40), 1, 256).forEach(out::write);
                out.write(0);
            }
        }
        if ((flags & 2) != 0) {
            CRC32 crc = new CRC32();
            crc.update(out.toByteArray());
            out.write((int) crc.getValue() & 0xFF);
            out.write((int) crc.getValue() >> 8 & 0xFF);
        }
        byte[] data = new byte[random.nextInt(3_000)];
        random.nextBytes(data);
        content.write(data);
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        deflater.setInput(data);
        deflater.finish();
        byte[] compressed = new byte[data.length + 64];
        out.write(compressed, 0, deflater.deflate(compressed));
        deflater.end();
        CRC32 crc = new CRC32();
        crc.update(data);
        for (long number : new long[] {crc.getValue(), data.length}) {
            for (int shift = 0; shift < 32; shift += 8) {
                out.write((int) (number >> shift) & 0xFF);
            }
        }
        return out.toByteArray();
    }
}
