package io.rankfeed.feeder.remote;

import io.rankfeed.schema.store.LocalFiles;
import io.rankfeed.schema.store.StoredFile;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A folder of this machine as a store that answers late or fails by steps, in a time that passes only while a caller waits. */
final class UnreliableStore implements RemoteStore, RetryPolicy.Time {
    /**
     * The behavior of the next operation.
     *
     * @param seconds until it answers
     * @param failure empty: it succeeds
     */
    record Step(long seconds, Optional<IOException> failure) {}

    private final Supplier<Step> steps;
    private final Semaphore released = new Semaphore(0);

    /** The times in nanoseconds at which running operations answer. */
    private final BlockingQueue<Long> begun = new ArrayBlockingQueue<>(1);

    /** Whether the operation of this thread, perhaps to open a file again and read it, has had its step. */
    private final ThreadLocal<Boolean> hasStep = ThreadLocal.withInitial(() -> false);

    private Optional<Long> answersAt = Optional.empty();
    private final AtomicLong nanos = new AtomicLong();

    UnreliableStore(Supplier<Step> steps) {
        this.steps = steps;
    }

    @Override
    public boolean knows(String scheme) {
        return true;
    }

    @Override
    public SeekableByteChannel open(URI file) throws IOException {
        return answer(() -> new UnreliableChannel(FileChannel.open(Path.of(file.getPath()), StandardOpenOption.READ)));
    }

    @Override
    public Optional<StoredFile> find(URI file) throws IOException {
        return answer(() -> LocalFiles.INSTANCE.find(file.getPath()));
    }

    @Override
    public List<StoredFile> list(URI folder) throws IOException {
        return answer(() -> LocalFiles.INSTANCE.list(folder.getPath()));
    }

    private <T> T answer(Callable<T> operation) throws IOException {
        try {
            if (hasStep.get()) {
                return operation.call();
            }
            hasStep.set(true);
            Step step = steps.get();
            begun.put(nanos.get() + Duration.ofSeconds(step.seconds()).toNanos());
            released.acquire();
            if (step.failure().isPresent()) {
                throw step.failure().get();
            }
            return operation.call();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public boolean isDone(FutureTask<?> answer, Duration within) throws InterruptedException {
        long at = answersAt.isPresent() ? answersAt.get() : begun.take();
        if (at > nanos.get() + within.toNanos()) {
            answersAt = Optional.of(at);
            nanos.addAndGet(within.toNanos());
            return false;
        }
        answersAt = Optional.empty();
        nanos.accumulateAndGet(at, Math::max);
        released.release();
        return RetryPolicy.Time.SYSTEM.isDone(answer, Duration.ofMinutes(1));
    }

    @Override
    public void pause(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    private final class UnreliableChannel implements SeekableByteChannel {
        private final FileChannel channel;

        UnreliableChannel(FileChannel channel) {
            this.channel = channel;
        }

        /** A failing read has filled a part of the buffer. */
        @Override
        public int read(ByteBuffer to) throws IOException {
            ByteBuffer few = ByteBuffer.allocate(Math.min(to.remaining(), 4000));
            int start = to.position();
            channel.read(few);
            few.flip();
            to.put(few);
            return answer(() -> to.position() == start ? -1 : to.position() - start);
        }

        @Override
        public long position() throws IOException {
            return channel.position();
        }

        @Override
        public SeekableByteChannel position(long position) throws IOException {
            channel.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
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
