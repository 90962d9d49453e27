package io.rankfeed.feeder.cache;

import io.rankfeed.feeder.external.UnlinkedFile;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.ArtifactPath;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of one artifact. Opens its files for reading by relative path, following no symbolic link below the root. The root itself is
 * the user's word.
 */
public final class ArtifactFolder implements ArtifactSource {
    private final Path root;

    private ArtifactFolder(Path root) {
        this.root = root;
    }

    /** @throws EnvironmentException if the folder does not exist */
    public static ArtifactFolder at(Path root) {
        if (!Files.isDirectory(root)) {
            throw new EnvironmentException(
                    root + ": no such folder; give the folder of a version, the one that holds manifest.json");
        }
        return new ArtifactFolder(root.toAbsolutePath().normalize());
    }

    public Path root() {
        return root;
    }

    @Override
    public String address() {
        return root.toString();
    }

    /** Returns the absolute path of a file of the artifact, for messages and as the target of a rename. */
    public Path resolve(ArtifactPath path) {
        return path.in(root);
    }

    /**
     * Opens a regular file.
     *
     * @throws CorruptDataException if it is missing, a link, under a link or no regular file
     * @throws EnvironmentException if it cannot be opened for another reason
     */
    @Override
    public FileChannel open(ArtifactPath path) {
        return UnlinkedFile.open(root, path.value(), "is listed in manifest.json but missing")
                .channel();
    }
}
