package io.rankfeed.schema.store;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files of this machine, mounted ones too. Paths may be relative, and may have the scheme {@code file}. */
public final class LocalFiles implements Store {
    public static final LocalFiles INSTANCE = new LocalFiles();

    /** Local files have no blocks; tables are compared with the size that Hadoop assumes for them. */
    private static final long BLOCK_BYTES = 32L << 20;

    private LocalFiles() {}

    @Override
    public Optional<StoredFile> find(String path) {
        Path file = path(path);
        try {
            return Optional.of(stored(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw failed(file, e);
        }
    }

    @Override
    public List<StoredFile> list(String folder) {
        Path path = path(folder);
        try (Stream<Path> entries = Files.list(path)) {
            List<StoredFile> files = entries.sorted(Comparator.comparing(Path::toString))
                    .flatMap(entry -> find(entry.toString()).stream())
                    .toList();
            for (StoredFile entry : files) {
                if (entry.isFolder()) {
                    refuseLoop(Path.of(entry.path()));
                }
            }
            return files;
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    /**
     * Refuses a link that leads back: its files would be listed again below each copy of its name.
     *
     * @param folder absolute; the folders that are listed above it are in its path
     * @throws ConfigException if it is a symbolic link to one of them
     */
    public static void refuseLoop(Path folder) throws IOException {
        if (!Files.isSymbolicLink(folder)) {
            return;
        }
        Path target = folder.toRealPath();
        for (Path above = folder.getParent(); above != null; above = above.getParent()) {
            if (above.toRealPath().equals(target)) {
                throw new ConfigException(folder + ": is a symbolic link to " + target
                        + ", which is above it, so that its files repeat without end; remove the link");
            }
        }
    }

    @Override
    public byte[] read(String file, long fromByte, int bytes) {
        Path path = path(file);
        try (SeekableByteChannel channel = Files.newByteChannel(path)) {
            return read(channel, fromByte, bytes);
        } catch (NoSuchFileException e) {
            throw new CorruptDataException(path.toString(), "does not exist", e);
        } catch (EOFException e) {
            throw new CorruptDataException(path.toString(), fromByte, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    /**
     * Reads a part of a file.
     *
     * @throws EOFException if it ends before
     */
    public static byte[] read(SeekableByteChannel channel, long fromByte, int bytes) throws IOException {
        ByteBuffer part = ByteBuffer.allocate(bytes);
        if (fromByte != channel.position()) {
            channel.position(fromByte);
        }
        while (part.hasRemaining()) {
            if (channel.read(part) < 0) {
                throw new EOFException("the file ended while " + part.remaining() + " more bytes were read");
            }
        }
        return part.array();
    }

    @Override
    public boolean isLink(String path) {
        return Files.isSymbolicLink(path(path));
    }

    private static StoredFile stored(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        boolean isFolder = attributes.isDirectory();
        return new StoredFile(file.toString(), isFolder, isFolder ? 0 : attributes.size(), BLOCK_BYTES);
    }

    private static Path path(String words) {
        try {
            return Path.of(withoutScheme(words)).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new ConfigException("'" + words + "' is not a path: " + e.getReason(), e);
        }
    }

    private static EnvironmentException failed(Path path, IOException e) {
        return new EnvironmentException(IoReason.of("cannot read " + path, e), e);
    }

    /** Returns the path of {@code file:///path} or {@code file:/path}, which is on this machine; other words as they are. */
    public static String withoutScheme(String words) {
        return words.replaceFirst("^file:(?://)?(?=/(?!/))", "");
    }
}
