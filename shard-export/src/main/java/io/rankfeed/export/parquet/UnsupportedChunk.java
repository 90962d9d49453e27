package io.rankfeed.export.parquet;

import io.rankfeed.schema.failure.ConfigException;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Codecs and encryption that Spark cannot read in a valid file: a configuration error, not corrupted data. */
public final class UnsupportedChunk {
    private static final Set<CompressionCodecName> CODECS = Set.of(
            CompressionCodecName.UNCOMPRESSED,
            CompressionCodecName.SNAPPY,
            CompressionCodecName.GZIP,
            CompressionCodecName.ZSTD,
            CompressionCodecName.LZ4,
            CompressionCodecName.LZ4_RAW);

    /** The lengths of a part, before and after compression. */
    private static final int LENGTHS_BYTES = 8;

    /** The least number that the first four bytes of an LZ4 block are. */
    private static final int MIN_BLOCK_START = 1 << 28;

    private UnsupportedChunk() {}

    /** Returns why the values of a chunk cannot be read; empty if they can. */
    public static List<String> of(ColumnChunkMetaData chunk, FSDataInputStream in) throws IOException {
        List<String> why = new ArrayList<>();
        if (!CODECS.contains(chunk.getCodec())) {
            why.add("codec " + chunk.getCodec());
        } else if (chunk.getCodec() == CompressionCodecName.LZ4 && !isHadoopFramed(chunk, in)) {
            why.add("codec LZ4 without Hadoop's framing");
        }
        return why;
    }

    /** Refuses encrypted columns: the row group's size is unreadable too. @throws ConfigException naming the columns */
    public static void refuseEncrypted(BlockMetaData block, String file) {
        List<String> encrypted = block.getColumns().stream()
                .filter(ColumnChunkMetaData::isEncrypted)
                .map(chunk -> "'" + chunk.getPath().toDotString() + "'")
                .toList();
        if (!encrypted.isEmpty()) {
            throw new ConfigException(file + ": unsupported: encrypted Parquet columns " + String.join(", ", encrypted)
                    + "; decrypt the file");
        }
    }

    /** Pages without compressed values, such as those of nulls alone, do not show how the codec frames its data. */
    private static boolean isHadoopFramed(ColumnChunkMetaData chunk, FSDataInputStream in) throws IOException {
        long end = chunk.getStartingPos() + chunk.getTotalSize();
        long next = chunk.getStartingPos();
        while (next < end) {
            in.seek(next);
            PageHeader header = Util.readPageHeader(in);
            next = in.getPos() + header.getCompressed_page_size();
            DataPageHeaderV2 second = header.getData_page_header_v2();
            int levels = second == null
                    ? 0
                    : second.getDefinition_levels_byte_length() + second.getRepetition_levels_byte_length();
            int plain = header.getUncompressed_page_size() - levels;
            boolean isCompressed = plain > 0 && (second == null || second.isIs_compressed());
            if (isCompressed) {
                in.seek(in.getPos() + levels);
                return header.getCompressed_page_size() - levels >= LENGTHS_BYTES
                        && isPart(new DataInputStream(in).readInt(), plain);
            }
        }
        return true;
    }

    /**
     * Hadoop's LZ4 begins a page with the length of its first part in big-endian bytes; others write one LZ4 block alone.
     * The first four bits of such a block are not 0: it begins with bytes that are not copied.
     */
    private static boolean isPart(int length, int plain) {
        return length == plain || (0 <= length && length < Math.min(plain, MIN_BLOCK_START));
    }
}
