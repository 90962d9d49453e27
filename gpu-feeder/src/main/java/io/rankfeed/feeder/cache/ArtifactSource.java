package io.rankfeed.feeder.cache;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.ArtifactPath;
import java.nio.channels.SeekableByteChannel;

/** The source from which the files of one artifact are read: a folder of this node, or a folder of a store that is not mounted here. */
public interface ArtifactSource {
    /** The address of the artifact's folder, for messages. */
    String address();

    /**
     * Opens a file for reading from its first byte; {@code size()} reports its length.
     *
     * @throws CorruptDataException if it is not there, or no file
     * @throws EnvironmentException if it cannot be opened for another reason
     */
    SeekableByteChannel open(ArtifactPath path);

    /** The address of a file, for messages. */
    default String address(ArtifactPath path) {
        return address() + "/" + path.value();
    }
}
