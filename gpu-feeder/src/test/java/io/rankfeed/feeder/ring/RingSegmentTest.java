package io.rankfeed.feeder.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingSegmentTest {
    private static final SegmentName NAME = new SegmentName(0, "0123abcd", 0, "train", 7, 1);

    @TempDir
    private Path folder;

    @Test
    void segment_golden_hasEqualBytes() throws IOException {
        byte[] golden;
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/golden/ring.bin"))) {
            golden = in.readAllBytes();
        }
        assertThat(Files.readAllBytes(GoldenRing.write(new SharedMemory(folder))))
                .isEqualTo(golden);
    }

    @Test
    void segment_new_isPrivateAndFullLength() throws IOException {
        RingLayout layout = RingLayout.of(4, GoldenRing.TENSORS, 5000);
        try (RingSegment segment = create(layout)) {
            assertThat(Files.size(segment.file()))
                    .isEqualTo(layout.lengthBytes())
                    .isEqualTo(3 * 4096 + 64 * 448 + 4 * 8192);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(segment.file())))
                    .isEqualTo("rw-------");
            assertThat(segment.slot(3).byteSize()).isEqualTo(8192);
        }
    }

    @Test
    void segment_existingFileOrLink_isRefused() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Files.createSymbolicLink(folder.resolve(NAME.fileName()), victim);
        assertThatThrownBy(() -> create(RingLayout.of(2, GoldenRing.TENSORS, 64)))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(NAME.fileName());
        assertThat(victim).hasContent("precious");
    }

    @Test
    void segment_withoutRoom_statesBytesAndLeavesNothing() {
        RingLayout huge = RingLayout.of(2, GoldenRing.TENSORS, 1L << 50);
        assertThatThrownBy(() -> create(huge))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(String.format("needs %,d bytes", huge.lengthBytes()))
                .hasMessageContaining("are available");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void segment_unlinked_keepsItsBytes() {
        try (RingSegment segment = create(RingLayout.of(2, GoldenRing.TENSORS, 64))) {
            segment.unlink();
            segment.unlink();
            assertThat(folder).isEmptyDirectory();
            segment.begin(0, 1);
            assertThat(segment.isClientLocked()).isFalse();
        }
    }

    @Test
    void segment_tooManySlotsOrLongName_isRefused() {
        assertThatThrownBy(() -> RingLayout.of(1, GoldenRing.TENSORS, 64)).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> RingLayout.of(4097, GoldenRing.TENSORS, 64)).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> RingLayout.of(2, List.of(), 64)).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> RingLayout.of(4096, GoldenRing.TENSORS, Long.MAX_VALUE - 8192))
                .isInstanceOf(ConfigException.class);
        String longName = "n".repeat(63) + ".valid";
        TensorSpec tensor = new TensorSpec(longName, DType.UINT8, Layout.FIXED, List.of(), 0, 0, 4, 0, 0);
        assertThatThrownBy(() -> RingSegment.create(
                        new SharedMemory(folder),
                        NAME,
                        RingLayout.of(2, List.of(tensor), 64),
                        GoldenRing.IDENTITY,
                        List.of(tensor)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(longName);
        assertThat(folder).isEmptyDirectory();
    }

    private RingSegment create(RingLayout layout) {
        return RingSegment.create(new SharedMemory(folder), NAME, layout, GoldenRing.IDENTITY, GoldenRing.TENSORS);
    }
}
