package io.rankfeed.spark.inspect;

import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.MessageType;

/**
 * A Parquet file as its footer reports it.
 *
 * @param blockBytes of the file system's blocks that it is in, or is compared with
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

        /** The number of blocks of a size that the row group touches. */
        long blocks(long blockBytes) {
            return end > start ? (end - 1) / blockBytes - start / blockBytes + 1 : 0;
        }
    }

    /** @throws CorruptDataException if the footer is not there, cannot be read, or points outside the file */
    static ParquetFile read(FileTree tree, FileStatus status) {
        String name = FileTree.name(status.getPath());
        ParquetTail tail = tail(tree, status, name);
        ParquetFooter footer = ParquetFooter.read(status, tail, tree.conf());
        List<RowGroup> groups = new ArrayList<>();
        Set<String> codecs = new TreeSet<>();
        for (BlockMetaData block : footer.blocks()) {
            groups.add(rowGroup(block, tail));
            block.getColumns()
                    .forEach(chunk -> codecs.add(chunk.getCodec().name().toLowerCase(Locale.ROOT)));
        }
        return new ParquetFile(
                name,
                status.getLen(),
                status.getBlockSize(),
                footer.schema(),
                String.valueOf(footer.metadata().getFileMetaData().getCreatedBy()),
                groups,
                codecs);
    }

    /** Returns the file for a comparison with blocks of another size. */
    ParquetFile withBlock(long bytes) {
        return new ParquetFile(name, lengthBytes, Math.max(1, bytes), schema, createdBy, rowGroups, codecs);
    }

    /** The offset after the last row group, in bytes. */
    long rowGroupsEnd() {
        return rowGroups.stream().mapToLong(RowGroup::end).max().orElse(0);
    }

    /** Bytes between row groups: what writers leave free to begin with a block. */
    long paddingBytes() {
        List<RowGroup> ordered = rowGroups.stream()
                .filter(group -> group.lengthBytes() > 0)
                .sorted(Comparator.comparingLong(RowGroup::start))
                .toList();
        long padding = 0;
        for (int i = 1; i < ordered.size(); i++) {
            padding += Math.max(0, ordered.get(i).start() - ordered.get(i - 1).end());
        }
        return padding;
    }

    long rows() {
        return rowGroups.stream().mapToLong(RowGroup::rows).sum();
    }

    private static ParquetTail tail(FileTree tree, FileStatus status, String name) {
        try (FSDataInputStream in = tree.fs().open(status.getPath())) {
            return ParquetTail.of(in, name, status.getLen());
        } catch (IOException e) {
            throw FileTree.failed(status.getPath(), e);
        }
    }

    private static RowGroup rowGroup(BlockMetaData block, ParquetTail tail) {
        long start = tail.footerStart();
        long end = 0;
        for (ColumnChunkMetaData chunk :
                block.getRowCount() == 0 ? List.<ColumnChunkMetaData>of() : block.getColumns()) {
            start = Math.min(start, chunk.getStartingPos());
            end = Math.max(end, chunk.getStartingPos() + chunk.getTotalSize());
        }
        return new RowGroup(block.getRowCount(), Math.min(start, end), end);
    }
}
