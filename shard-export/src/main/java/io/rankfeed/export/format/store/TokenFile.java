package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FormatFile;
import io.rankfeed.export.format.PartFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An indexed dataset of Megatron: {@code PREFIX.bin} with the elements of all sequences, {@code PREFIX.idx} with their
 * lengths and the documents. The index is in memory until the end: 4 bytes for each sequence and each document.
 */
final class TokenFile implements Closeable {
    private static final byte[] MAGIC = "MMIDIDX\0\0".getBytes(StandardCharsets.US_ASCII);
    private static final long VERSION = 1;
    private static final int CHUNK_BYTES = 1 << 18;

    private final String prefix;
    private final TokenType type;
    private final PartFiles files;
    private final CountedFile bin;
    private final ByteBuilder lengths = new ByteBuilder();
    /** The number of sequences before the end of each document. */
    private final ByteBuilder documents = new ByteBuilder();

    TokenFile(String prefix, TokenType type, PartFiles files) throws IOException {
        this.prefix = prefix;
        this.type = type;
        this.files = files;
        bin = new CountedFile(files, prefix + ".bin");
    }

    /** Appends elements that belong to sequences which {@link #endSequence} ends. */
    void write(byte[] array, int offset, int lengthBytes) throws IOException {
        bin.write(array, offset, lengthBytes);
    }

    void endSequence(int elements) {
        lengths.putInt(elements);
    }

    void endDocument() {
        documents.putInt(sequences());
    }

    private int sequences() {
        return lengths.size() / Integer.BYTES;
    }

    List<FormatFile> finish(long rows) throws IOException {
        List<FormatFile> written = new ArrayList<>();
        written.add(bin.publish(rows));
        int count = documents.size() / Integer.BYTES;
        try (CountedFile idx = new CountedFile(files, prefix + ".idx")) {
            ByteBuilder out = new ByteBuilder().put(MAGIC).putLong(VERSION);
            out.put((byte) type.code()).putLong(sequences()).putLong(count + 1L);
            idx.write(out);
            idx.write(lengths);
            out.clear();
            long offset = 0;
            for (int i = 0; i < sequences(); i++) {
                put(offset, out, idx);
                offset += (long) type.sizeBytes() * lengths.getInt(i * Integer.BYTES);
            }
            put(0, out, idx);
            for (int i = 0; i < count; i++) {
                put(documents.getInt(i * Integer.BYTES), out, idx);
            }
            idx.write(out);
            written.add(idx.publish(-1));
        }
        return written;
    }

    private static void put(long value, ByteBuilder out, CountedFile file) throws IOException {
        out.putLong(value);
        if (out.size() >= CHUNK_BYTES) {
            file.write(out);
            out.clear();
        }
    }

    @Override
    public void close() throws IOException {
        bin.close();
    }
}
