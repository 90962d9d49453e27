package io.rankfeed.feeder.remote;

import io.rankfeed.schema.store.StoredFile;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/** A client of some kinds of remote store. Found by {@link java.util.ServiceLoader}; used by several threads. */
public interface RemoteStore {
    /** Whether the client reads addresses of a scheme, such as {@code hdfs}. Does not connect. */
    boolean knows(String scheme);

    /**
     * Opens a file for reading.
     *
     * @throws NoSuchFileException if no file is there
     * @throws IOException if the store cannot be reached, or refuses
     */
    SeekableByteChannel open(URI file) throws IOException;

    /**
     * Describes the file or the folder at an address; empty if nothing is there.
     *
     * @throws IOException if the store cannot be reached, or refuses
     */
    Optional<StoredFile> find(URI file) throws IOException;

    /**
     * Lists what is in a folder, by path; empty if the folder does not exist.
     *
     * @throws IOException if the store cannot be reached, or refuses
     */
    List<StoredFile> list(URI folder) throws IOException;
}
