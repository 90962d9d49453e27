package io.rankfeed.spark.inspect;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.source.SparkFailures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;

/**
 * A Parquet file as its footer tells it.
 *
 * @param codecs of its column chunks, by name
 */
record ParquetFile(
        String name,
        long lengthBytes,
        long blockBytes,
        MessageType schema,
        String createdBy,
        List<RowGroup> rowGroups,
        Set<String> codecs) {
    private static final int TRAILER_BYTES = 8;
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /**
     * A row group.
     *
     * @param start of its first column chunk in the file
     * @param end behind its last one
     */
    record RowGroup(long rows, long start, long end) {
        long lengthBytes() {
            return end - start;
        }
    }

    /** @throws CorruptDataException if the footer is not there, cannot be read, or points outside the file */
    static ParquetFile read(FileTree tree, FileStatus status) {
        String name = FileTree.name(status.getPath());
        long footerStart = footerStart(tree, status, name);
        ParquetMetadata metadata;
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(status, tree.conf()))) {
            metadata = reader.getFooter();
        } catch (RuntimeException | IOException e) {
            if (SparkFailures.isSurroundings(e)) {
                throw new EnvironmentException("cannot read " + name + ": " + SparkFailures.firstLine(e), e);
            }
            // Parquet's reader meets damage with whatever exception comes first.
            throw new CorruptDataException(
                    name, footerStart, "the footer cannot be read: " + SparkFailures.firstLine(e));
        }
        List<RowGroup> groups = new ArrayList<>();
        Set<String> codecs = new TreeSet<>();
        for (BlockMetaData block : metadata.getBlocks()) {
            groups.add(rowGroup(block, name, footerStart));
            block.getColumns()
                    .forEach(chunk -> codecs.add(chunk.getCodec().name().toLowerCase(Locale.ROOT)));
        }
        return new ParquetFile(
                name,
                status.getLen(),
                status.getBlockSize(),
                metadata.getFileMetaData().getSchema(),
                String.valueOf(metadata.getFileMetaData().getCreatedBy()),
                groups,
                codecs);
    }

    long rows() {
        return rowGroups.stream().mapToLong(RowGroup::rows).sum();
    }

    private static long footerStart(FileTree tree, FileStatus status, String name) {
        long length = status.getLen();
        if (length < MAGIC.length + TRAILER_BYTES) {
            throw new CorruptDataException(name, length, "ends here; too short for a Parquet file");
        }
        try (FSDataInputStream in = tree.fs().open(status.getPath())) {
            byte[] trailer = new byte[TRAILER_BYTES];
            in.readFully(length - TRAILER_BYTES, trailer);
            if (!Arrays.equals(trailer, 4, 8, MAGIC, 0, 4)) {
                throw new CorruptDataException(
                        name, length - 4, "does not end with PAR1; the file is cut short, or no Parquet");
            }
            long footerBytes = Integer.toUnsignedLong(
                    ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).getInt());
            long start = length - TRAILER_BYTES - footerBytes;
            if (start < MAGIC.length) {
                throw new CorruptDataException(
                        name, length - TRAILER_BYTES, "claims a footer of " + footerBytes + " bytes");
            }
            return start;
        } catch (IOException e) {
            throw FileTree.failed(status.getPath(), e);
        }
    }

    private static RowGroup rowGroup(BlockMetaData block, String name, long footerStart) {
        long start = footerStart;
        long end = MAGIC.length;
        for (ColumnChunkMetaData chunk :
                block.getRowCount() == 0 ? List.<ColumnChunkMetaData>of() : block.getColumns()) {
            long at = chunk.getStartingPos();
            long bytes = chunk.getTotalSize();
            // Subtraction: a start and a size out of damage may overflow together.
            if (at < MAGIC.length || at > footerStart || bytes < 0 || bytes > footerStart - at) {
                throw new CorruptDataException(
                        name,
                        footerStart,
                        "column " + chunk.getPath().toDotString() + " is said to lie at " + at + " with " + bytes
                                + " bytes, outside the file's data");
            }
            start = Math.min(start, at);
            end = Math.max(end, at + bytes);
        }
        if (block.getRowCount() < 0) {
            throw new CorruptDataException(name, footerStart, "a row group claims " + block.getRowCount() + " rows");
        }
        return new RowGroup(block.getRowCount(), Math.min(start, end), end);
    }
}
