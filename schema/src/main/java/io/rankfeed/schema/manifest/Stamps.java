package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Where the files of {@value External#FILE_NAME} are on this machine, and the length and modification time of each when its digest was
 * computed: the file {@value #FILE_NAME} in the folder of a version over a dataset. It is a log, and no part of the version.
 */
public final class Stamps {
    public static final String FILE_NAME = "_stamps";

    /** A path of 4,096 bytes, each escaped. */
    private static final int MAX_HEAD_BYTES = 1 << 15;

    private static final int MIN_LINE_BYTES = "0 0\n".length();
    private static final int MAX_DIGITS = 19;

    private final Path root;
    private final String list;
    private final long[] bytes;
    private final long[] modified;

    /**
     * @param root folder of the dataset, absolute
     * @param list SHA-256 of {@value External#FILE_NAME}
     * @param bytes length of each file
     * @param modified time of the last write of each file, in nanoseconds since 1970
     * @throws IllegalArgumentException if the lists differ in length, or the root is not absolute
     */
    public Stamps(Path root, String list, long[] bytes, long[] modified) {
        if (bytes.length != modified.length || !root.isAbsolute() || !list.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException(
                    root + ", " + list + ": " + bytes.length + " lengths, " + modified.length + " times");
        }
        this.root = root;
        this.list = list;
        this.bytes = bytes.clone();
        this.modified = modified.clone();
    }

    /** The folder of the dataset, absolute. */
    public Path root() {
        return root;
    }

    /** The SHA-256 of the list of files that these stamps are for. */
    public String list() {
        return list;
    }

    /** The number of files. */
    public int files() {
        return bytes.length;
    }

    /** The length of a file. */
    public long bytes(int file) {
        return bytes[file];
    }

    /** The time of the last write of a file, in nanoseconds since 1970. */
    public long modified(int file) {
        return modified[file];
    }

    /** Writes the stamps to the folder of a version, in place of others. Readers see the file complete or not at all. */
    public void write(Path versionFolder) {
        Path file = versionFolder.resolve(FILE_NAME);
        // The name of an attempt, which the next writer of the version removes.
        Path temporary = versionFolder.resolve("_attempt-" + UUID.randomUUID() + FILE_NAME);
        try {
            try (FileChannel channel =
                            FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
                out.write(CanonicalJson.compact(JsonNodeFactory.instance
                        .objectNode()
                        .put("root", root.toString())
                        .put("list", list)
                        .put("files", bytes.length)));
                out.write('\n');
                for (int i = 0; i < bytes.length; i++) {
                    out.write((bytes[i] + " " + modified[i] + "\n").getBytes(StandardCharsets.US_ASCII));
                }
                out.flush();
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot write " + file, file, e), e);
        } finally {
            deleteIfExists(temporary);
        }
    }

    private static void deleteIfExists(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // The next writer of the version removes it.
        }
    }

    /**
     * Reads the stamps in the folder of a version.
     *
     * @throws CorruptDataException if they are missing or damaged
     */
    public static Stamps read(Path versionFolder) {
        Path file = versionFolder.resolve(FILE_NAME);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw damaged(file, "does not exist, or is no regular file");
            }
            try (InputStream in =
                    new BufferedInputStream(Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), 1 << 16)) {
                return read(in, file, Files.size(file));
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    private static Stamps read(InputStream in, Path file, long fileBytes) throws IOException {
        byte[] head = head(in, file);
        JsonObject object = JsonObject.root(StrictJson.parse(head, file.toString()), file.toString());
        object.only("root", "list", "files");
        long most = (fileBytes - head.length - 1) / MIN_LINE_BYTES;
        int files = object.intBetween("files", 0, Integer.MAX_VALUE - 8);
        if (files > most) {
            throw damaged(file, "states " + files + " files, and has at most " + most);
        } else if (!object.text("list").matches("[0-9a-f]{64}")) {
            throw damaged(file, "'list' must be 64 hexadecimal digits");
        } else if (!object.text("root").startsWith("/") || object.text("root").indexOf(0) >= 0) {
            throw damaged(file, "'root' must be an absolute path");
        }
        long[] bytes = new long[files];
        long[] modified = new long[files];
        for (int i = 0; i < files; i++) {
            bytes[i] = number(in, ' ', false, file, i + 2);
            modified[i] = number(in, '\n', true, file, i + 2);
        }
        if (in.read() >= 0) {
            throw damaged(file, "has more than the " + files + " files that it states");
        }
        try {
            return new Stamps(Path.of(object.text("root")), object.text("list"), bytes, modified);
        } catch (InvalidPathException e) {
            throw damaged(file, "'root' is not valid in this locale: " + e.getMessage() + "; set LC_ALL=C.UTF-8");
        }
    }

    private static byte[] head(InputStream in, Path file) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int next = in.read();
        while (next >= 0 && next != '\n' && head.size() < MAX_HEAD_BYTES) {
            head.write(next);
            next = in.read();
        }
        if (next != '\n') {
            throw damaged(file, "its first line has no end");
        }
        return head.toByteArray();
    }

    private static long number(InputStream in, char end, boolean maySign, Path file, int line) throws IOException {
        int next = in.read();
        boolean isNegative = maySign && next == '-';
        next = isNegative ? in.read() : next;
        long value = 0;
        int digits = 0;
        while (next >= '0' && next <= '9' && digits < MAX_DIGITS) {
            value = 10 * value + next - '0';
            digits++;
            next = in.read();
        }
        // Nineteen digits may exceed a long, which makes the value negative.
        if (next != end || digits == 0 || value < 0) {
            throw damaged(file, "line " + line + " is not a length and a time in nanoseconds");
        }
        return isNegative ? -value : value;
    }

    private static CorruptDataException damaged(Path file, String what) {
        return new CorruptDataException(
                file.toString(),
                what
                        + "; import the dataset again, or run rankfeed verify FOLDER --external DATASET=PATH with this version's folder"
                        + " and the folder of its files");
    }
}
