package io.rankfeed.export.format;

import io.rankfeed.schema.digest.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Files in memory, by path. */
public final class MemoryFiles implements PartFiles {
    private final Map<String, byte[]> published = new TreeMap<>();
    private int open;

    @Override
    public PartFile create(String path) {
        open++;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        return new PartFile() {
            private boolean closed;

            @Override
            public OutputStream stream() {
                return bytes;
            }

            @Override
            public void publish(long rows) {
                if (published.put(path, bytes.toByteArray()) != null) {
                    throw new IllegalStateException(path + " was written twice");
                }
            }

            @Override
            public void close() {
                open -= closed ? 0 : 1;
                closed = true;
            }
        };
    }

    /** The bytes of the published files by path. */
    public Map<String, byte[]> published() {
        return published;
    }

    /** Digests of the published files by path. */
    public Map<String, String> digests() {
        Map<String, String> digests = new TreeMap<>();
        published.forEach((path, bytes) -> digests.put(path, Sha256.hex(bytes)));
        return digests;
    }

    public byte[] file(String path) {
        byte[] bytes = published.get(path);
        if (bytes == null) {
            throw new AssertionError("no " + path + " among " + published.keySet());
        }
        return bytes;
    }

    /** Files that are neither published nor closed. */
    public int open() {
        return open;
    }

    public void copyTo(Path folder) {
        published.forEach((path, bytes) -> {
            try {
                Path file = folder.resolve(path);
                Files.createDirectories(file.getParent());
                Files.write(file, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
