package io.rankfeed.feeder.remote;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;

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
     * Returns the names of the entries of a folder, sorted; empty if the folder does not exist.
     *
     * @throws IOException if the store cannot be reached, or refuses
     */
    List<String> names(URI folder) throws IOException;
}
