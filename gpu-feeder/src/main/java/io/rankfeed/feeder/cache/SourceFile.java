package io.rankfeed.feeder.cache;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.manifest.ArtifactFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;

/** Reads small files of an artifact as a whole. */
final class SourceFile {
    private SourceFile() {}

    /** @throws CorruptDataException if the file has other bytes than its manifest lists */
    static byte[] checked(ArtifactSource source, ArtifactFile entry) {
        String file = source.address(entry.path());
        try (SeekableByteChannel channel = source.open(entry.path())) {
            if (channel.size() != entry.bytes()) {
                throw new CorruptDataException(
                        file,
                        Math.min(channel.size(), entry.bytes()),
                        "the file has " + channel.size() + " bytes, manifest.json says " + entry.bytes());
            }
            byte[] bytes = read(channel, entry.bytes(), file);
            String found = Sha256.hex(bytes);
            if (!found.equals(entry.sha256())) {
                throw new CorruptDataException(
                        file, "its SHA-256 is " + found + ", manifest.json says " + entry.sha256());
            }
            return bytes;
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    /** Reads all of a file whose length is not trusted. */
    static byte[] read(SeekableByteChannel channel, long lengthBytes, String file) throws IOException {
        if (lengthBytes > JsonLimits.SERVED.maxBytes()) {
            throw new CorruptDataException(
                    file, "has " + lengthBytes + " bytes; at most " + JsonLimits.SERVED.maxBytes() + " are read");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) lengthBytes);
        int read = 0;
        while (bytes.hasRemaining() && read >= 0) {
            read = channel.read(bytes);
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
