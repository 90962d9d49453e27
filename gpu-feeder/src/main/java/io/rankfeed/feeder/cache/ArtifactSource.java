package io.rankfeed.feeder.cache;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.ArtifactPath;
import java.nio.channels.SeekableByteChannel;

/** Where the files of one artifact are read from: a folder of this node, or one of a store that is not mounted here. */
public interface ArtifactSource {
    /** Where it is, for messages. */
    String address();

    /**
     * Opens a file for reading from its first byte; {@code size()} reports its length.
     *
     * @throws CorruptDataException if it is not there, or no file
     * @throws EnvironmentException if it cannot be opened for another reason
     */
    SeekableByteChannel open(ArtifactPath path);

    /** Where a file is, for messages. */
    default String place(ArtifactPath path) {
        return address() + "/" + path.value();
    }
}
