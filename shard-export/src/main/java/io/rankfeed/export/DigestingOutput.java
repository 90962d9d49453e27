package io.rankfeed.export;

import io.rankfeed.schema.digest.Sha256;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;

/** Passes bytes on while counting them and digesting what the manifest will say of them. */
public final class DigestingOutput extends FilterOutputStream {
    private final MessageDigest digest = Sha256.digest();
    private long lengthBytes;

    public DigestingOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
        digest.update((byte) b);
        lengthBytes++;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        out.write(bytes, offset, count);
        digest.update(bytes, offset, count);
        lengthBytes += count;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    /** The SHA-256 of all bytes; ends the digest, so it is asked for once, after the last byte. */
    public String sha256() {
        return Sha256.hexOf(digest.digest());
    }
}
