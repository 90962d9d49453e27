package io.rankfeed.feeder.cache;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactPath;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.Set;

/**
 * The folder of one artifact. Opens its files for reading by relative path, walking down folder by folder so that no
 * symbolic link below the root is followed, not even one put there meanwhile. The root itself is the user's word.
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
        try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
            if (!(top instanceof SecureDirectoryStream<Path> folder)) {
                throw new EnvironmentException(root + ": this file system cannot open files without following links");
            }
            return open(folder, path, path.value(), 0);
        } catch (NoSuchFileException e) {
            throw new CorruptDataException(resolve(path).toString(), "is listed in manifest.json but missing", e);
        } catch (NotDirectoryException e) {
            throw linked(path, e);
        } catch (FileSystemException e) {
            // What O_NOFOLLOW answers to a link carries no exception class of its own.
            if (throughLink(path)) {
                throw linked(path, e);
            }
            throw new EnvironmentException("cannot open " + resolve(path) + ": " + e.getReason(), e);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot open " + resolve(path), e), e);
        }
    }

    private FileChannel open(SecureDirectoryStream<Path> folder, ArtifactPath whole, String path, int from)
            throws IOException {
        int slash = path.indexOf('/', from);
        if (slash >= 0) {
            Path name = Path.of(path.substring(from, slash));
            try (SecureDirectoryStream<Path> next = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                return open(next, whole, path, slash + 1);
            }
        }
        Path name = Path.of(path.substring(from));
        BasicFileAttributeView view =
                folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (!view.readAttributes().isRegularFile()) {
            throw new CorruptDataException(
                    resolve(whole).toString(), "is not a regular file; links and devices are not followed");
        }
        SeekableByteChannel channel =
                folder.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        return (FileChannel) channel;
    }

    private boolean throughLink(ArtifactPath path) {
        for (Path at = resolve(path); !at.equals(root) && at.getParent() != null; at = at.getParent()) {
            if (Files.isSymbolicLink(at)) {
                return true;
            }
        }
        return false;
    }

    private CorruptDataException linked(ArtifactPath path, IOException cause) {
        return new CorruptDataException(
                resolve(path).toString(), "is behind a symbolic link; links are not followed", cause);
    }
}
