package io.rankfeed.feeder.sync;

import io.rankfeed.schema.digest.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.security.MessageDigest;

/** SHA-256 of open files, with one buffer for all of them. Used by one thread. */
public final class FileDigest {
    private static final int CHUNK_BYTES = 1 << 20;

    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private final SyncProgress progress;

    public FileDigest(SyncProgress progress) {
        this.progress = progress;
    }

    /** The digest of the whole file, as 64 lower-case hexadecimal digits. Leaves the channel at its end. */
    public String sha256(SeekableByteChannel file) throws IOException {
        MessageDigest digest = Sha256.digest();
        file.position(0);
        for (chunk.clear(); file.read(chunk) > 0; chunk.clear()) {
            chunk.flip();
            progress.add(chunk.remaining());
            digest.update(chunk);
        }
        return Sha256.hexOf(digest.digest());
    }
}
