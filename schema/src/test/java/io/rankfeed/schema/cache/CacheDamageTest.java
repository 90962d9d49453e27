package io.rankfeed.schema.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.digest.Crc32c;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheDamageTest {
    private static final byte[] WHOLE = CacheFixture.file();
    private static final String LANE = "lane.arrow";

    @TempDir
    Path folder;

    private List<CacheBatch> bodies = List.of();

    @BeforeEach
    void findBodies() {
        bodies = layout(WHOLE).batches();
    }

    @Test
    void aTruncatedFileIsRefusedWhereverItEnds() {
        for (int end = 0; end < WHOLE.length; end += end < WHOLE.length - 200 ? 64 : 1) {
            byte[] cut = Arrays.copyOf(WHOLE, end);
            assertThatThrownBy(() -> readAndVerify(cut))
                    .as("cut at %d", end)
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageMatching(".*lane\\.arrow, byte \\d+: .+");
        }
    }

    /** Outside the bodies no byte can change unseen, whatever the manifest says of the file's digest. */
    @Test
    void everyByteOfHeadMessagesAndFooterIsVerified() {
        flipOutsideOfBodies(at -> 1 << at % 8);
    }

    @Test
    @Tag("nightly")
    void moreDamageIsFoundOrChangesNothing() {
        flipOutsideOfBodies(at -> 0xFF);
        aFlippedByteIsFoundOrChangesNothing(0x01);
        anAbsurdNumberIsFoundOrChangesNothing(-1);
        anAbsurdNumberIsFoundOrChangesNothing(0x7fffffff_80000000L);
    }

    /** @param mask the bits to flip in the byte at an offset */
    private void flipOutsideOfBodies(IntUnaryOperator mask) {
        for (int i = 0; i < WHOLE.length; i++) {
            int at = i;
            if (bodies.stream().noneMatch(batch -> at >= batch.bodyOffset() && at < batch.end())) {
                byte[] flipped = WHOLE.clone();
                flipped[at] ^= (byte) mask.applyAsInt(at);
                assertThatThrownBy(() -> readAndVerify(flipped))
                        .as("byte %d", at)
                        .isInstanceOf(CorruptDataException.class);
            }
        }
    }

    @Test
    void bytesAppendedOrTakenOutAreRefused() {
        assertThatThrownBy(() -> readAndVerify(Arrays.copyOf(WHOLE, WHOLE.length + 64)))
                .isInstanceOf(CorruptDataException.class);
        for (int at = 0; at < WHOLE.length - 64; at += 64) {
            byte[] shorter = new byte[WHOLE.length - 64];
            System.arraycopy(WHOLE, 0, shorter, 0, at);
            System.arraycopy(WHOLE, at + 64, shorter, at, shorter.length - at);
            assertThatThrownBy(() -> readAndVerify(shorter)).as("at %d", at).isInstanceOf(CorruptDataException.class);
        }
    }

    /** Padding inside a flatbuffer means nothing; whatever means something is covered. */
    @ParameterizedTest
    @ValueSource(ints = 0x80)
    void aFlippedByteIsFoundOrChangesNothing(int flip) {
        String intact = readAndVerify(WHOLE);
        int tried = 0;
        int found = 0;
        for (int at = flip & 1; at < WHOLE.length; at = next(at, 3)) {
            byte[] bytes = WHOLE.clone();
            bytes[at] ^= (byte) flip;
            found += isRefusedOr(bytes, intact, at);
            tried++;
        }
        assertThat(found).isGreaterThan(tried / 2);
    }

    @ParameterizedTest
    @ValueSource(longs = 1L << 62)
    void anAbsurdNumberIsFoundOrChangesNothing(long number) {
        String intact = readAndVerify(WHOLE);
        for (int at = 0; at <= WHOLE.length - 8; at = next(at, 4)) {
            byte[] bytes = WHOLE.clone();
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(at, number);
            isRefusedOr(bytes, intact, at);
        }
    }

    @Test
    void aDamagedBatchIsNamedByItsNumberAndByte() {
        byte[] bytes = WHOLE.clone();
        CacheLayout layout = layout(bytes);
        CacheBatch second = layout.batches().get(1);
        bytes[(int) second.valuesOffset(3)] ^= 1;
        assertThatThrownBy(() -> readAndVerify(bytes))
                .hasMessageContaining("byte " + second.offset() + ": batch 1 (to byte " + second.end() + ")");
    }

    @Test
    void offsets_descendingWithValidChecksum_areFound() {
        CacheLayout layout = layout(WHOLE);
        int ids = layout.column("ids");
        CacheBatch first = layout.batches().get(0);
        for (int wrong : new int[] {-1, Integer.MAX_VALUE}) {
            byte[] bytes = WHOLE.clone();
            int at = (int) first.offsetsOffset(ids) + 4;
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at, wrong);
            rewriteChecksum(bytes, first);
            assertThatThrownBy(() -> readAndVerify(bytes))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("column 'ids': offset");
        }
    }

    /** Inside a body, where a checksum finds everything alike, larger steps do. */
    private int next(int at, int step) {
        boolean inBody = bodies.stream().anyMatch(batch -> at >= batch.bodyOffset() && at < batch.end() - 256);
        return at + (inBody ? 252 : step);
    }

    private static void rewriteChecksum(byte[] bytes, CacheBatch batch) {
        ByteBuffer covered = ByteBuffer.wrap(bytes, (int) batch.offset(), (int) (batch.end() - batch.offset()));
        String before = String.format("%08x", batch.crc32c());
        String after = String.format("%08x", Crc32c.of(covered));
        int at = new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf(before);
        System.arraycopy(after.getBytes(StandardCharsets.US_ASCII), 0, bytes, at, 8);
    }

    /** @return 1 if the bytes are refused, 0 if they mean what they meant */
    private int isRefusedOr(byte[] bytes, String intact, int at) {
        String meaning;
        try {
            meaning = readAndVerify(bytes);
        } catch (CorruptDataException e) {
            return 1;
        }
        assertThat(meaning).as("changed at byte %d", at).isEqualTo(intact);
        return 0;
    }

    private String readAndVerify(byte[] bytes) {
        try {
            // Overwritten: some file systems write a file that was emptied to the disk at once.
            try (FileChannel channel = new RandomAccessFile(folder.resolve(LANE).toFile(), "rw").getChannel()) {
                channel.write(ByteBuffer.wrap(bytes), 0);
                channel.truncate(bytes.length);
                CacheLayout layout = CacheLayout.read(channel, LANE);
                layout.require(CacheFixture.SCHEMA, CacheFixture.FEED, CacheFixture.LANE, CacheFixture.BATCH_ROWS);
                new CacheVerifier(layout, channel).verifyAll();
                return layout.schema() + " " + layout.rows()
                        + layout.batches().stream().map(CacheBatch::bodyOffset).toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CacheLayout layout(byte[] bytes) {
        try {
            Path file = Files.write(folder.resolve("intact.arrow"), bytes);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                return CacheLayout.read(channel, file.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
