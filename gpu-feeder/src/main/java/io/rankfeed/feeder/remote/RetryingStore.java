package io.rankfeed.feeder.remote;

import io.rankfeed.schema.store.StoredFile;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.Optional;

/**
 * A store with timeouts and retries, by {@link RetryPolicy}. After a failed read, a file is opened again at the same
 * position.
 */
final class RetryingStore implements RemoteStore {
    private final RemoteStore store;
    private final RetryPolicy policy;

    RetryingStore(RemoteStore store, RetryPolicy policy) {
        this.store = store;
        this.policy = policy;
    }

    @Override
    public boolean knows(String scheme) {
        return store.knows(scheme);
    }

    @Override
    public SeekableByteChannel open(URI file) throws IOException {
        return new RetryingChannel(file, policy.answer(file.toString(), "open file", () -> store.open(file)));
    }

    @Override
    public Optional<StoredFile> find(URI file) throws IOException {
        return policy.answer(file.toString(), "find file", () -> store.find(file));
    }

    @Override
    public List<StoredFile> list(URI folder) throws IOException {
        return policy.answer(folder.toString(), "list folder", () -> store.list(folder));
    }

    /** A channel that retries; only one thread may use it. */
    private final class RetryingChannel implements SeekableByteChannel {
        private final URI file;
        private final long lengthBytes;
        private SeekableByteChannel channel;
        private long positionBytes;
        private boolean isBroken;
        private boolean isSought = true;

        RetryingChannel(URI file, SeekableByteChannel channel) throws IOException {
            this.file = file;
            this.channel = channel;
            this.lengthBytes = channel.size();
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            int start = to.position();
            int read = policy.answer(file.toString(), "read file", () -> {
                to.position(start);
                return readOnce(to);
            });
            positionBytes += Math.max(0, read);
            return read;
        }

        private int readOnce(ByteBuffer to) throws IOException {
            if (isBroken) {
                channel.close();
                channel = store.open(file);
                if (channel.size() != lengthBytes) {
                    throw new IOException("has " + channel.size() + " bytes now, had " + lengthBytes);
                }
                isSought = false;
            }
            isBroken = true;
            if (!isSought) {
                channel.position(positionBytes);
            }
            int read = channel.read(to);
            isSought = true;
            isBroken = false;
            return read;
        }

        @Override
        public long position() {
            return positionBytes;
        }

        @Override
        public SeekableByteChannel position(long position) {
            positionBytes = position;
            isSought = false;
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
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
