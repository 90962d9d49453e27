package io.rankfeed.feeder.remote;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.run.VersionName;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/** The runs of a dataset in a remote store. */
public final class RemoteRuns implements VersionName.Runs {
    private final RemoteStore store;

    private RemoteRuns(RemoteStore store) {
        this.store = store;
    }

    /** Returns the runs of a dataset; throws the exceptions of {@link RemoteFolder#at}. */
    public static RemoteRuns of(String address) {
        return new RemoteRuns(RemoteFolder.store(address));
    }

    @Override
    public List<String> names(String folder) {
        try {
            return store.names(URI.create(folder));
        } catch (IOException | LinkageError e) {
            throw RemoteFolder.failed(folder, e);
        }
    }

    @Override
    public Optional<byte[]> read(String file) {
        try (SeekableByteChannel channel = store.open(URI.create(file))) {
            if (channel.size() > VersionName.MAX_RUN_BYTES) {
                throw new CorruptDataException(file, "has " + channel.size() + " bytes, more than a run's facts");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
            return Optional.of(bytes.array());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | LinkageError e) {
            throw RemoteFolder.failed(file, e);
        }
    }

    @Override
    public void warn(String line) {
        System.err.println("rankfeed: " + line);
    }
}
