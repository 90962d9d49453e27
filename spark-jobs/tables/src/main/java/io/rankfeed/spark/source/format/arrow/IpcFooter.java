package io.rankfeed.spark.source.format.arrow;

import io.rankfeed.spark.source.format.StoredBytes;
import io.rankfeed.spark.source.format.arrow.IpcFile.Part;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;

/**
 * The content of the footer of an IPC file. It is compared with the messages before it; the values are read from the
 * messages.
 *
 * @param offset of its flatbuffer
 * @param dictionaries offset of each message and length of its body
 * @param batches likewise
 */
record IpcFooter(
        StoredBytes bytes,
        long offset,
        List<ArrowField> fields,
        List<List<Long>> dictionaries,
        List<List<Long>> batches) {
    private static final int BLOCK_BYTES = 24;

    static IpcFooter read(StoredBytes bytes) {
        int trailerBytes = 4 + IpcFile.MAGIC.length;
        long trailer = bytes.lengthBytes() - trailerBytes;
        if (trailer < IpcFile.PREFIX_BYTES) {
            throw bytes.damage(0, "has only " + bytes.lengthBytes() + " bytes; it is truncated");
        }
        byte[] end = bytes.read(trailer, trailerBytes, "the trailer");
        int footerBytes = IpcFile.little(end).getInt();
        long offset = trailer - footerBytes;
        if (!Arrays.equals(end, 4, trailerBytes, IpcFile.MAGIC, 0, IpcFile.MAGIC.length)) {
            throw bytes.damage(trailer + 4, "no ARROW1 magic at the end; the file is truncated");
        } else if (footerBytes <= 0 || footerBytes > IpcFile.MAX_METADATA_BYTES || offset < IpcFile.PREFIX_BYTES) {
            throw bytes.damage(trailer, "a footer of " + footerBytes + " bytes does not fit into the file");
        }
        ByteBuffer flatbuffer = IpcFile.little(bytes.read(offset, footerBytes, "the footer"));
        return IpcFile.guarded(bytes, offset, "footer", () -> {
            Footer footer = Footer.getRootAsFooter(flatbuffer);
            IpcFile.requireVersion(bytes, footer.version());
            int maxBlocks = footerBytes / BLOCK_BYTES;
            return new IpcFooter(
                    bytes,
                    offset,
                    ArrowSchema.read(footer.schema(), bytes.file()),
                    blocks(footer.dictionariesLength(), maxBlocks, footer::dictionaries),
                    blocks(footer.recordBatchesLength(), maxBlocks, footer::recordBatches));
        });
    }

    private static List<List<Long>> blocks(int count, int maxBlocks, IntFunction<Block> block) {
        if (count < 0 || count > maxBlocks) {
            throw new IllegalArgumentException(count + " messages");
        }
        List<List<Long>> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(List.of(block.apply(i).offset(), block.apply(i).bodyLength()));
        }
        return blocks;
    }

    /** @throws io.rankfeed.schema.failure.CorruptDataException if the file has other fields or messages */
    void compare(List<ArrowField> found, List<Part> parts) {
        if (!described(found).equals(described(fields))) {
            throw bytes.damage(offset, "the schema of the footer is not that of the first message");
        }
        compare(
                "dictionaries",
                dictionaries,
                parts.stream().filter(part -> part.dictionary() != null).toList());
        compare(
                "record batches",
                batches,
                parts.stream().filter(part -> part.dictionary() == null).toList());
    }

    private void compare(String what, List<List<Long>> stated, List<Part> parts) {
        List<List<Long>> found = parts.stream()
                .map(part -> List.of(part.offset(), part.bodyBytes()))
                .toList();
        if (!found.equals(stated)) {
            throw bytes.damage(
                    offset,
                    "the footer lists " + stated.size() + " " + what + " that are not the " + found.size()
                            + " in the file");
        }
    }

    private static List<List<Object>> described(List<ArrowField> fields) {
        return fields.stream()
                .map(field -> List.<Object>of(
                        field.name(),
                        field.words(),
                        field.nullable(),
                        field.stored().map(ArrowField::layout).toList()))
                .toList();
    }
}
