package io.rankfeed.schema.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The bytes of a cache file by their offset, wherever the file is stored. */
public interface CacheSource {
    /** The length of the file in bytes. */
    long size() throws IOException;

    /** Reads bytes at an offset into a buffer, possibly fewer than remain in it. @return how many; -1 at the end of the file */
    int read(ByteBuffer to, long offset) throws IOException;

    /** A file of this machine. */
    static CacheSource of(FileChannel channel) {
        return new CacheSource() {
            @Override
            public long size() throws IOException {
                return channel.size();
            }

            @Override
            public int read(ByteBuffer to, long offset) throws IOException {
                return channel.read(to, offset);
            }
        };
    }
}
