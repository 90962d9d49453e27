package io.rankfeed.export.parquet;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;

/**
 * The footer of a Parquet file. Its row counts and the positions of its column chunks have been checked against the file.
 *
 * @param blocks the row groups, in the order of the file
 */
public record ParquetFooter(ParquetTail tail, ParquetMetadata metadata, List<BlockMetaData> blocks) {
    /**
     * Reads and checks a footer.
     *
     * @throws CorruptDataException if the footer is missing or unreadable, or contradicts the file
     * @throws EnvironmentException if the file cannot be read
     */
    public static ParquetFooter read(Path file, Configuration conf) {
        try {
            FileSystem fs = file.getFileSystem(conf);
            FileStatus status = fs.getFileStatus(file);
            try (FSDataInputStream in = fs.open(file)) {
                return read(status, ParquetTail.of(in::readFully, file.toString(), status.getLen()), conf);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + StorageFailures.firstLine(e), e);
        }
    }

    /**
     * Reads and checks the footer of a file whose tail has been read.
     *
     * @throws io.rankfeed.schema.failure.ConfigException if a column has a logical type that Parquet's reader does not
     *     know
     */
    public static ParquetFooter read(FileStatus file, ParquetTail tail, Configuration conf) {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(file, conf))) {
            ParquetMetadata metadata = reader.getFooter();
            ParquetFooter footer = new ParquetFooter(tail, metadata, metadata.getBlocks());
            footer.check();
            return footer;
        } catch (CorruptDataException e) {
            throw e;
        } catch (RuntimeException | IOException e) {
            if (StorageFailures.isUnavailable(e)) {
                throw new EnvironmentException("cannot read " + tail.name() + ": " + StorageFailures.firstLine(e), e);
            }
            UnknownTypes.refuse(file, tail, conf);
            // Parquet's reader reports damage by any exception; by this one also a file without columns.
            String why = e instanceof IndexOutOfBoundsException
                    ? "it has no columns, or not all of them"
                    : DamagedContent.why(e);
            throw new CorruptDataException(
                    tail.name(), tail.footerStart(), "the Parquet footer cannot be read: " + why);
        }
    }

    public MessageType schema() {
        return metadata.getFileMetaData().getSchema();
    }

    /** The value of a key in the footer's metadata. */
    public Optional<String> keyValue(String key) {
        return Optional.ofNullable(
                metadata.getFileMetaData().getKeyValueMetaData().get(key));
    }

    public long rows() {
        return blocks.stream().mapToLong(BlockMetaData::getRowCount).sum();
    }

    /** Whether each column chunk with rows has an offset index, so that single pages can be read. */
    public boolean hasPageIndex() {
        return blocks.stream()
                .filter(block -> block.getRowCount() > 0)
                .flatMap(block -> block.getColumns().stream())
                .allMatch(chunk -> chunk.getOffsetIndexReference() != null);
    }

    /** The row groups that have rows. */
    public List<FileRowGroup> rowGroups() {
        List<FileRowGroup> groups = new ArrayList<>();
        long firstRow = 0;
        for (BlockMetaData block : blocks) {
            if (block.getRowCount() > 0) {
                groups.add(new FileRowGroup(
                        firstRow, block.getRowCount(), block.getStartingPos() + block.getCompressedSize() / 2));
            }
            firstRow += block.getRowCount();
        }
        return groups;
    }

    /** Top-level columns whose statistics show that no value is null. */
    public Set<String> columnsWithoutNulls() {
        Set<String> without = new HashSet<>();
        schema().getFields().forEach(field -> without.add(field.getName()));
        for (BlockMetaData block : blocks) {
            for (ColumnChunkMetaData chunk : block.getColumns()) {
                boolean known = chunk.getStatistics() != null
                        && chunk.getStatistics().isNumNullsSet()
                        && chunk.getStatistics().getNumNulls() == 0;
                if (!known && block.getRowCount() > 0) {
                    without.remove(chunk.getPath().toArray()[0]);
                }
            }
        }
        return without;
    }

    private void check() {
        for (BlockMetaData block : blocks) {
            if (block.getRowCount() < 0) {
                throw new CorruptDataException(
                        tail.name(), tail.footerStart(), "a row group has a count of " + block.getRowCount() + " rows");
            }
            // An empty chunk may have any position: pyarrow writes 0. An encrypted one hides its position.
            if (block.getRowCount() > 0) {
                block.getColumns().stream()
                        .filter(chunk -> !chunk.isEncrypted())
                        .forEach(chunk -> check(block, chunk));
            }
        }
    }

    private void check(BlockMetaData block, ColumnChunkMetaData chunk) {
        tail.refuseOutside(chunk.getPath().toDotString(), chunk.getStartingPos(), chunk.getTotalSize());
        String[] path = chunk.getPath().toArray();
        boolean flat = schema().containsPath(path) && schema().getMaxRepetitionLevel(path) == 0;
        if (flat && chunk.getValueCount() != block.getRowCount()) {
            throw new CorruptDataException(
                    tail.name(),
                    tail.footerStart(),
                    "column " + chunk.getPath().toDotString() + " has a count of " + chunk.getValueCount()
                            + " values in a row group of " + block.getRowCount() + " rows");
        }
    }
}
