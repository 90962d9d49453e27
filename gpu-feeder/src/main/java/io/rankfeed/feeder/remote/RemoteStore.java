package io.rankfeed.feeder.remote;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** A client of some kinds of remote store. Found by {@link java.util.ServiceLoader}; used by several threads. */
public interface RemoteStore {
    /** Whether it reads addresses of this scheme, as in {@code hdfs}. Connects to nothing. */
    boolean knows(String scheme);

    /**
     * Opens a file for reading.
     *
     * @throws NoSuchFileException if no file is there
     * @throws IOException if the store cannot be reached, or refuses
     */
    SeekableByteChannel open(URI file) throws IOException;

    /**
     * Names of what is in a folder, sorted; none where it does not exist.
     *
     * @throws IOException if the store cannot be reached, or refuses
     */
    List<String> names(URI folder) throws IOException;
}
