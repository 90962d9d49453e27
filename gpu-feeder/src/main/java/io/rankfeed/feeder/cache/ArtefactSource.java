package io.rankfeed.feeder.cache;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.ArtefactPath;
import java.nio.channels.SeekableByteChannel;

/** Where the files of one artefact are read from: a folder of this node, or one of a store that is not mounted here. */
public interface ArtefactSource {
    /** Where it lies, for messages. */
    String address();

    /**
     * Opens a file for reading from its first byte; {@code size()} tells its length.
     *
     * @throws CorruptDataException if it is not there, or no file
     * @throws EnvironmentException if it cannot be opened for another reason
     */
    SeekableByteChannel open(ArtefactPath path);

    /** Where a file lies, for messages. */
    default String place(ArtefactPath path) {
        return address() + "/" + path.value();
    }
}
