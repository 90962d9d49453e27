package io.rankfeed.export.parquet;

import io.rankfeed.schema.failure.ConfigException;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Encodings, codecs and encryption that Spark cannot read in a valid file: a configuration error, not corrupted data. */
public final class UnsupportedChunk {
    private static final Set<CompressionCodecName> CODECS = Set.of(
            CompressionCodecName.UNCOMPRESSED,
            CompressionCodecName.SNAPPY,
            CompressionCodecName.GZIP,
            CompressionCodecName.ZSTD,
            CompressionCodecName.LZ4,
            CompressionCodecName.LZ4_RAW);

    private UnsupportedChunk() {}

    /** Returns why the values of a chunk cannot be read; empty if they can. */
    public static List<String> of(ColumnChunkMetaData chunk, FSDataInputStream in) throws IOException {
        List<String> why = new ArrayList<>();
        if (chunk.getEncodings().contains(Encoding.BYTE_STREAM_SPLIT)) {
            why.add("encoding BYTE_STREAM_SPLIT");
        }
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

    /** Hadoop's LZ4 begins each page with its length in big-endian bytes; others write the LZ4 block alone. */
    private static boolean isHadoopFramed(ColumnChunkMetaData chunk, FSDataInputStream in) throws IOException {
        in.seek(chunk.getStartingPos());
        PageHeader header = Util.readPageHeader(in);
        return header.getCompressed_page_size() >= 8
                && new DataInputStream(in).readInt() == header.getUncompressed_page_size();
    }
}
