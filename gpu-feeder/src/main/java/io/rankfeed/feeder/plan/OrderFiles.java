package io.rankfeed.feeder.plan;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.run.IdFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/** Writes plans over versions, or mixtures, to a folder. Readers see each file complete or not at all. */
public final class OrderFiles {
    private final Path folder;
    private final IdFiles<?> files;

    public OrderFiles(Path folder, IdFiles<?> files) {
        this.folder = folder;
        this.files = files;
    }

    /**
     * Writes a plan and its name, and returns its folder; an existing one with the same bytes is kept.
     *
     * @throws ConfigException if another one has this name
     */
    public Path write(String id, byte[] bytes, Optional<String> name) {
        name.ifPresent(words -> requireFree(words, id));
        Path written = write(id, bytes);
        name.ifPresent(words -> name(words, id));
        return written;
    }

    private Path write(String id, byte[] bytes) {
        Path file = folder.resolve(id).resolve(files.fileName());
        try {
            if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), bytes)) {
                put(file, bytes);
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of(files.kind() + " " + file + " cannot be written", folder, e), e);
        }
        return folder.resolve(id);
    }

    /** @throws ConfigException if another plan has this name */
    void name(String name, String id) {
        Path file = folder.resolve(IdFiles.file(name));
        try {
            if (!Files.exists(file)) {
                claim(file, files.toBytes(id));
            }
            if (!Files.isRegularFile(file)) {
                throw new EnvironmentException("name " + file + " is a link to nothing, or no file; delete it");
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("name " + file + " cannot be written", folder, e), e);
        }
        requireFree(name, id);
    }

    /** @throws ConfigException if another plan has this name */
    void requireFree(String name, String id) {
        Path file = folder.resolve(IdFiles.file(name));
        try {
            if (Files.exists(file)) {
                String named = files.idIn(Files.readAllBytes(file), file.toString());
                if (!named.equals(id)) {
                    throw new ConfigException("--name " + name + ": " + file + " names the " + files.kind() + " "
                            + named + ", and this one is " + id + "; choose another name, or delete that file");
                }
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("name " + file + " cannot be read", folder, e), e);
        }
    }

    /** Writes a file, in place of the one that exists. */
    public static void put(Path file, byte[] bytes) throws IOException {
        Path temporary = temporary(file);
        try {
            writeNew(temporary, bytes);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Another process may write the same name at this moment: the first one has it, and no file is replaced. */
    private static void claim(Path file, byte[] bytes) throws IOException {
        try {
            putNew(file, bytes);
        } catch (FileAlreadyExistsException e) {
            // It is compared with this plan afterwards.
        }
    }

    /** Writes a file. @throws FileAlreadyExistsException if there is one */
    public static void putNew(Path file, byte[] bytes) throws IOException {
        Path temporary = temporary(file);
        try {
            writeNew(temporary, bytes);
            Files.createLink(file, temporary);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Unique also among processes of other machines that share the folder. */
    private static Path temporary(Path file) {
        return file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
    }

    private static void writeNew(Path temporary, byte[] bytes) throws IOException {
        Files.createDirectories(temporary.getParent());
        try (FileChannel channel =
                FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer all = ByteBuffer.wrap(bytes);
            while (all.hasRemaining()) {
                channel.write(all);
            }
            channel.force(true);
        }
    }
}
