package io.rankfeed.importing.index;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;

/**
 * A file of a dataset, as it was when it was read as a whole.
 *
 * @param path below the root
 * @param modifiedNanos time of the last write, in nanoseconds since 1970
 * @param sha256 64 lower-case hexadecimal digits
 */
public record ExternalFile(String path, long bytes, long modifiedNanos, String sha256) {
    /**
     * Reads a file for its digest.
     *
     * @param before when its samples were listed
     * @param progress receives numbers of bytes that were read
     * @throws CorruptDataException if the file has been written since
     */
    public static ExternalFile read(DatasetRoot root, String path, DatasetRoot.Stamp before, LongConsumer progress) {
        String sha256;
        try (OpenFile open = root.open(path)) {
            sha256 = Sha256.hex(new Counted(open.channel(), progress));
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + root.shown(path), e), e);
        }
        if (!root.stamp(path).equals(before)) {
            throw new CorruptDataException(
                    root.shown(path), "was written while it was read; import again when no program writes to it");
        }
        return new ExternalFile(path, before.bytes(), before.modifiedNanos(), sha256);
    }

    private static final class Counted extends FilterInputStream {
        private final LongConsumer progress;

        Counted(FileChannel channel, LongConsumer progress) {
            super(Channels.newInputStream(channel));
            this.progress = progress;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            progress.accept(Math.max(0, read));
            return read;
        }
    }
}
