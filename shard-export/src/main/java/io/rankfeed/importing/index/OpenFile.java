package io.rankfeed.importing.index;

import io.rankfeed.schema.cache.CacheSource;
import io.rankfeed.schema.cache.FileBytes;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** An open file of a dataset. */
public final class OpenFile implements AutoCloseable {
    private final FileChannel channel;
    private final FileBytes bytes;

    OpenFile(FileChannel channel, String shown) {
        this.channel = channel;
        this.bytes = new FileBytes(CacheSource.of(channel), shown);
    }

    /** Its bytes; nothing is read or allocated beyond their end. */
    public FileBytes bytes() {
        return bytes;
    }

    FileChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
