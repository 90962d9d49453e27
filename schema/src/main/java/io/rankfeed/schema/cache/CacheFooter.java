package io.rankfeed.schema.cache;

import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.CacheMessages.WrittenBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.MetadataVersion;

/**
 * The content of a file's footer. Each part is checked on its own; {@link CacheLayout} compares it with the rest of the
 * file.
 *
 * @param offset where the footer's flatbuffer starts
 * @param batches as the footer declares them
 */
record CacheFooter(long offset, SampleSchema schema, String feed, OptionalInt lane, List<WrittenBatch> batches) {
    private static final int TRAILER_BYTES = 4 + CacheMessages.MAGIC.length;
    private static final int MAX_FOOTER_BYTES = 256 << 20;
    private static final int BLOCK_BYTES = 24;
    private static final int CRC_CHARS = 8;
    private static final Pattern LANE = Pattern.compile("0|[1-9][0-9]{0,4}");

    static CacheFooter read(FileBytes bytes) {
        long trailer = bytes.lengthBytes() - TRAILER_BYTES;
        if (trailer < CacheMessages.HEAD_BYTES) {
            throw bytes.damage(0, "has only " + bytes.lengthBytes() + " bytes; no cache file is that short");
        }
        ByteBuffer end = bytes.read(trailer, TRAILER_BYTES, "the trailer");
        long footerBytes = end.getInt();
        requireMagic(bytes, end, trailer + 4);
        requireMagic(bytes, bytes.read(0, CacheMessages.MAGIC.length, "the magic"), 0);
        long offset = trailer - footerBytes;
        if (footerBytes <= 0 || footerBytes > MAX_FOOTER_BYTES || offset < CacheMessages.HEAD_BYTES) {
            throw bytes.damage(trailer, "footer length " + footerBytes + " does not fit into the file");
        }
        ByteBuffer footer = bytes.read(offset, footerBytes, "the footer");
        return bytes.flatbuffer(offset, "footer", () -> parse(bytes, offset, footer));
    }

    private static CacheFooter parse(FileBytes bytes, long offset, ByteBuffer buffer) {
        Footer footer = Footer.getRootAsFooter(buffer);
        if (footer.version() != MetadataVersion.V5 || footer.dictionariesLength() != 0) {
            throw bytes.damage(offset, "the footer must be of Arrow format V5 and without dictionaries");
        }
        Map<String, String> metadata = metadata(bytes, offset, footer);
        if (!CacheMessages.CACHE_VERSION.equals(metadata.get(CacheMessages.CACHE_KEY))) {
            throw bytes.damage(
                    offset,
                    CacheMessages.CACHE_KEY + " is " + metadata.get(CacheMessages.CACHE_KEY)
                            + "; this reader knows version " + CacheMessages.CACHE_VERSION);
        }
        int count = footer.recordBatchesLength();
        if (count < 1 || count > buffer.capacity() / BLOCK_BYTES) {
            throw bytes.damage(offset, "the footer counts " + count + " record batches");
        }
        int[] crcs = crcs(bytes, offset, metadata.getOrDefault(CacheMessages.CRC_KEY, ""), count);
        List<WrittenBatch> batches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Block block = footer.recordBatches(i);
            batches.add(new WrittenBatch(block.offset(), block.metaDataLength(), block.bodyLength(), crcs[i]));
        }
        String lane = metadata.getOrDefault(CacheMessages.LANE_KEY, "");
        boolean shared = lane.equals(CacheMessages.SHARED);
        if (!shared && !LANE.matcher(lane).matches()) {
            throw bytes.damage(offset, CacheMessages.LANE_KEY + " '" + lane + "' is not a lane");
        }
        return new CacheFooter(
                offset,
                CacheSchema.read(footer.schema(), bytes.file()),
                metadata.getOrDefault(CacheMessages.FEED_KEY, ""),
                shared ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(lane)),
                List.copyOf(batches));
    }

    private static Map<String, String> metadata(FileBytes bytes, long offset, Footer footer) {
        Map<String, String> metadata = new HashMap<>();
        for (int i = 0; i < footer.customMetadataLength(); i++) {
            KeyValue entry = footer.customMetadata(i);
            if (entry.key() == null || entry.value() == null) {
                throw bytes.damage(offset, "the footer's metadata has an entry without a key or a value");
            }
            if (metadata.put(entry.key(), entry.value()) != null) {
                throw bytes.damage(offset, "the footer's metadata has '" + entry.key() + "' twice");
            }
        }
        return metadata;
    }

    private static int[] crcs(FileBytes bytes, long offset, String text, int count) {
        if (text.length() != (long) count * (CRC_CHARS + 1) - 1) {
            throw bytes.damage(
                    offset, CacheMessages.CRC_KEY + " must have one checksum for each of " + count + " batches");
        }
        int[] crcs = new int[count];
        for (int i = 0; i < count; i++) {
            int at = i * (CRC_CHARS + 1);
            for (int c = at; c < at + CRC_CHARS; c++) {
                int digit = "0123456789abcdef".indexOf(text.charAt(c));
                if (digit < 0 || (i > 0 && text.charAt(at - 1) != ',')) {
                    throw bytes.damage(offset, CacheMessages.CRC_KEY + " is not hexadecimal digits joined by ','");
                }
                crcs[i] = crcs[i] << 4 | digit;
            }
        }
        return crcs;
    }

    private static void requireMagic(FileBytes bytes, ByteBuffer found, long offset) {
        if (!found.slice().equals(ByteBuffer.wrap(CacheMessages.MAGIC))) {
            throw bytes.damage(offset, "no ARROW1 magic; the file is truncated or not a cache file");
        }
    }
}
