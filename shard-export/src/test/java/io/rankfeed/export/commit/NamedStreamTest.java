package io.rankfeed.export.commit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;

/** Writes through Hadoop's local file system to {@code /dev/full}, which the kernel keeps full. */
class NamedStreamTest {
    private static final Path FULL = new Path("file:/dev/full");

    @Test
    void aFullDiskIsNamedWhicheverCallMeetsIt() throws Exception {
        RawLocalFileSystem local = new RawLocalFileSystem();
        local.initialize(FULL.toUri(), new Configuration());
        fails(() -> {
            try (NamedStream out = stream(local)) {
                out.write(new byte[1 << 20], 0, 1 << 20);
            }
        });
        fails(() -> {
            NamedStream out = stream(local);
            out.write(1);
            out.flush();
        });
        fails(() -> {
            NamedStream out = stream(local);
            out.write(1);
            out.close();
        });
    }

    private static NamedStream stream(RawLocalFileSystem local) throws IOException {
        return new NamedStream(new BufferedOutputStream(local.append(FULL), 1 << 16), FULL);
    }

    private static void fails(org.assertj.core.api.ThrowableAssert.ThrowingCallable writing) {
        assertThatThrownBy(writing)
                .isInstanceOf(NamedStream.Failure.class)
                .hasMessageMatching(
                        "cannot write file:/dev/full: No space left on device, [0-9,]+ bytes are free in the file"
                                + " system of /dev/full; make room, or choose another folder")
                .hasRootCauseInstanceOf(IOException.class)
                .hasCauseInstanceOf(FSError.class);
    }
}
