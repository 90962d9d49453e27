package io.rankfeed.importing.format;

import io.rankfeed.importing.index.Damages;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.ForeignDataset;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.OpenFile;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.cache.FileBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Token files of Megatron: {@code PREFIX.bin} with the tokens, {@code PREFIX.idx} with their type, lengths and offsets. A sequence is a
 * sample.
 */
final class MegatronDataset implements ForeignDataset {
    static final String INDEX = ".idx";

    private static final byte[] MAGIC = "MMIDIDX\0\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final int HEAD_BYTES = 34;
    private static final int CHUNK_BYTES = 1 << 18;
    private static final Map<Byte, DType> TYPES = Map.of(
            (byte) 1, DType.UINT8,
            (byte) 2, DType.INT8,
            (byte) 3, DType.INT16,
            (byte) 4, DType.INT32,
            (byte) 5, DType.INT64,
            (byte) 6, DType.FLOAT64,
            (byte) 7, DType.FLOAT32,
            (byte) 8, DType.UINT16);

    private final DatasetRoot root;
    private final List<Part> parts;

    MegatronDataset(DatasetRoot root) {
        this.root = root;
        this.parts = Folders.fileParts(root, INDEX).stream()
                .map(part -> new Part(
                        part.folder(),
                        List.of(tokens(part.files().get(0)), part.files().get(0))))
                .toList();
    }

    private static String tokens(String index) {
        return index.substring(0, index.length() - INDEX.length()) + ".bin";
    }

    @Override
    public String format() {
        return "megatron";
    }

    @Override
    public List<Part> parts() {
        return parts;
    }

    @Override
    public IndexedPart index(Part part, Set<String> names) {
        String path = part.files().get(1);
        try (OpenFile tokens = root.open(part.files().get(0));
                OpenFile index = root.open(path)) {
            return index(path, index.bytes(), tokens.bytes().lengthBytes());
        } catch (IOException e) {
            throw Folders.unreadable(root.shown(path), e);
        }
    }

    private static IndexedPart index(String path, FileBytes file, long tokenBytes) {
        ByteBuffer head = file.read(0, HEAD_BYTES, "the head of the index");
        for (byte expected : MAGIC) {
            if (head.get() != expected) {
                throw file.damage(
                        0, "is not an index of Megatron: MMIDIDX is missing; convert an index of an older format");
            }
        }
        long version = head.getLong();
        byte code = head.get();
        DType dtype = TYPES.get(code);
        if (version != 1 || dtype == null) {
            throw file.damage(
                    MAGIC.length, "version " + version + " with type " + code + " is unknown; version 1 is read");
        }
        long sequences = head.getLong();
        long documents = head.getLong();
        long left = file.lengthBytes() - HEAD_BYTES;
        boolean fits = sequences >= 0 && sequences <= left / 12 && sequences < Integer.MAX_VALUE - 8;
        left -= fits ? 12 * sequences : 0;
        fits &= documents >= 0 && documents <= left / 8;
        left -= fits ? 8 * documents : 0;
        // An index of multimodal samples has a byte more for each sequence.
        if (!fits || (left != 0 && left != sequences)) {
            throw file.damage(
                    MAGIC.length + 9L,
                    Long.toUnsignedString(sequences) + " sequences in " + Long.toUnsignedString(documents)
                            + " documents do not match the file's " + file.lengthBytes() + " bytes");
        }
        requireDocuments(file, HEAD_BYTES + 12 * sequences, sequences, documents);
        return sequences(path, file, dtype, (int) sequences, tokenBytes);
    }

    private static void requireDocuments(FileBytes file, long at, long sequences, long documents) {
        Elements elements = new Elements(file, at, Long.BYTES, documents);
        long before = 0;
        for (long i = 0; i < documents; i++) {
            long first = elements.next().getLong();
            boolean isInOrder = i == 0 ? first == 0 : first >= before && first <= sequences;
            if (!isInOrder || (i == documents - 1 && first != sequences)) {
                throw file.damage(
                        at + 8 * i,
                        "document " + i + " begins at sequence " + first + " of " + sequences + ", after " + before);
            }
            before = first;
        }
    }

    private static IndexedPart sequences(String path, FileBytes file, DType dtype, int sequences, long tokenBytes) {
        Elements sizes = new Elements(file, HEAD_BYTES, Integer.BYTES, sequences);
        Elements offsets = new Elements(file, HEAD_BYTES + 4L * sequences, Long.BYTES, sequences);
        Values.Ranges ranges = new Values.Ranges();
        Damages damages = new Damages();
        for (int i = 0; i < sequences; i++) {
            int tokens = sizes.next().getInt();
            long offset = offsets.next().getLong();
            long bytes = (long) tokens * dtype.sizeBytes();
            if (tokens < 0 || offset < 0 || bytes > tokenBytes - offset || offset % dtype.sizeBytes() != 0) {
                damages.addSample(
                        i,
                        path,
                        HEAD_BYTES + 4L * i,
                        "sequence " + i + " of " + tokens + " tokens at byte " + offset + " is not in the " + tokenBytes
                                + " bytes of tokens");
                ranges.addDamaged();
            } else {
                ranges.add(offset, bytes);
            }
        }
        return IndexedPart.of(
                sequences, List.of(new IndexedColumn("tokens", dtype, Shape.of(Shape.VARIABLE), 0, ranges)), damages);
    }

    /** Reads an array of a file one element after the other; the file has all of them. */
    private static final class Elements {
        private final FileBytes file;
        private final ByteBuffer chunk;
        private final long end;
        private long at;

        Elements(FileBytes file, long at, int width, long count) {
            this.file = file;
            this.at = at;
            end = at + width * count;
            chunk = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, end - at))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .limit(0);
        }

        ByteBuffer next() {
            if (!chunk.hasRemaining()) {
                chunk.clear().limit((int) Math.min(CHUNK_BYTES, end - at));
                file.readInto(chunk, at);
                at += chunk.limit();
                chunk.flip();
            }
            return chunk;
        }
    }
}
