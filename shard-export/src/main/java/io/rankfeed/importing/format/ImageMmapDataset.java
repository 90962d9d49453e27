package io.rankfeed.importing.format;

import io.rankfeed.importing.index.Damages;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.cache.FileBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;

/** Files of images: the number of images, offset and size of each as little-endian u64, then the images. The column is {@code image}. */
final class ImageMmapDataset extends DatasetOfFiles {
    static final String EXTENSION = ".mmap";

    private static final int ENTRY_BYTES = 16;
    private static final int CHUNK_ENTRIES = 1 << 14;

    ImageMmapDataset(DatasetRoot root) {
        super(root, Folders.fileParts(root, EXTENSION));
    }

    @Override
    public String format() {
        return "image-mmap";
    }

    @Override
    IndexedPart index(String path, FileBytes file, Set<String> names) {
        long count = file.read(0, Long.BYTES, "the number of images").getLong();
        if (count < 0 || count > (file.lengthBytes() - Long.BYTES) / ENTRY_BYTES || count > Integer.MAX_VALUE - 8) {
            throw file.damage(
                    0,
                    "an index of " + Long.toUnsignedString(count) + " images does not fit into " + file.lengthBytes()
                            + " bytes");
        }
        long data = Long.BYTES + count * ENTRY_BYTES;
        Values.Ranges images = new Values.Ranges();
        Damages damages = new Damages();
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_ENTRIES * ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long first = 0; first < count; first += CHUNK_ENTRIES) {
            chunk.clear().limit((int) Math.min(CHUNK_ENTRIES, count - first) * ENTRY_BYTES);
            file.readInto(chunk, Long.BYTES + first * ENTRY_BYTES);
            chunk.flip();
            while (chunk.hasRemaining()) {
                long offset = chunk.getLong();
                long bytes = chunk.getLong();
                if (offset < data || bytes < 0 || bytes > file.lengthBytes() - offset) {
                    damages.addSample(
                            images.rows(),
                            path,
                            Long.BYTES + images.rows() * ENTRY_BYTES,
                            "image " + images.rows() + " of " + Long.toUnsignedString(bytes) + " bytes at byte "
                                    + Long.toUnsignedString(offset) + " is outside of bytes " + data + " to "
                                    + file.lengthBytes());
                    images.addDamaged();
                } else {
                    images.add(offset, bytes);
                }
            }
        }
        return IndexedPart.of(
                count, List.of(new IndexedColumn("image", DType.BINARY, Shape.scalar(), 0, images)), damages);
    }
}
