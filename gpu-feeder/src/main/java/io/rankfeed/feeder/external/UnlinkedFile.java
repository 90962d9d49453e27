package io.rankfeed.feeder.external;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * A regular file that is open for reading. It was opened folder by folder below a root, so that no symbolic link below the root is
 * followed, not even one put there meanwhile. The root itself is as the user named it.
 *
 * @param attributes of the file after it was opened
 */
public record UnlinkedFile(FileChannel channel, BasicFileAttributes attributes) implements AutoCloseable {
    /**
     * @param path below the root, without empty, {@code .} and {@code ..} components
     * @param missing says what is wrong where the file is missing
     * @throws CorruptDataException if it is missing, a link, under a link or no regular file
     * @throws EnvironmentException if it cannot be opened for another reason
     */
    public static UnlinkedFile open(Path root, String path, String missing) {
        Path whole;
        try {
            whole = root.resolve(path);
        } catch (InvalidPathException e) {
            throw new EnvironmentException(
                    root + ": path '" + e.getInput() + "' is not valid in this locale; set LC_ALL=C.UTF-8", e);
        }
        try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
            if (!(top instanceof SecureDirectoryStream<Path> folder)) {
                throw new EnvironmentException(root + ": this file system cannot open files without following links");
            }
            return open(folder, whole, path, 0);
        } catch (NoSuchFileException e) {
            throw new CorruptDataException(whole.toString(), missing, e);
        } catch (NotDirectoryException e) {
            throw isThroughLink(root, whole)
                    ? linked(whole, e)
                    : new CorruptDataException(whole.toString(), missing, e);
        } catch (FileSystemException e) {
            // What O_NOFOLLOW answers to a link carries no exception class of its own.
            if (isThroughLink(root, whole)) {
                throw linked(whole, e);
            }
            throw new EnvironmentException("cannot open " + whole + ": " + e.getReason(), e);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot open " + whole, e), e);
        }
    }

    private static UnlinkedFile open(SecureDirectoryStream<Path> folder, Path whole, String path, int from)
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
        // A pipe would block while it is opened.
        if (!view.readAttributes().isRegularFile()) {
            throw new CorruptDataException(
                    whole.toString(), "is not a regular file; links and devices are not followed");
        }
        FileChannel channel =
                (FileChannel) folder.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        try {
            return new UnlinkedFile(channel, view.readAttributes());
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private static boolean isThroughLink(Path root, Path whole) {
        for (Path at = whole; !at.equals(root) && at.getParent() != null; at = at.getParent()) {
            if (Files.isSymbolicLink(at)) {
                return true;
            }
        }
        return false;
    }

    private static CorruptDataException linked(Path whole, IOException cause) {
        return new CorruptDataException(whole.toString(), "is behind a symbolic link; links are not followed", cause);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
