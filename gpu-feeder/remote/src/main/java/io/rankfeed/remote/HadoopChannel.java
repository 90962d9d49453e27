package io.rankfeed.remote;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.apache.hadoop.fs.FSDataInputStream;

/** A file of Hadoop, read only, as a channel. Used by one thread. */
final class HadoopChannel implements SeekableByteChannel {
    /** The maximum size of the heap buffer, in bytes; not every stream of Hadoop can fill a direct buffer. */
    private static final int CHUNK_BYTES = 1 << 18;

    private final FSDataInputStream in;
    private final long lengthBytes;
    private final byte[] chunk;
    private boolean isOpen = true;

    HadoopChannel(FSDataInputStream in, long lengthBytes) {
        this.in = in;
        this.lengthBytes = lengthBytes;
        this.chunk = new byte[Math.clamp(lengthBytes, 1, CHUNK_BYTES)];
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int read = in.read(chunk, 0, Math.min(chunk.length, to.remaining()));
        if (read > 0) {
            to.put(chunk, 0, read);
        }
        return read;
    }

    @Override
    public long position() throws IOException {
        return in.getPos();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
        in.seek(position);
        return this;
    }

    @Override
    public long size() {
        return lengthBytes;
    }

    @Override
    public int write(ByteBuffer from) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public void close() throws IOException {
        isOpen = false;
        in.close();
    }
}
