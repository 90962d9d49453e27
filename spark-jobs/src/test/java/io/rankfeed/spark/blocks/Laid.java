package io.rankfeed.spark.blocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;

/**
 * How a folder's row groups are laid out on the blocks that the name node reports: worked out from footers and block locations
 * alone, in addition to rankfeed's own.
 *
 * @param crossing row groups whose bytes are in more than one block
 * @param fill bytes of row groups, with what follows the last one of a file, per byte of blocks that they are in; the
 *     last row group of all excepted
 * @param indexed whether every column chunk has its page index
 */
record Laid(int rowGroups, int crossing, double fill, boolean indexed) {
    static Laid of(FileSystem fs, Path folder) {
        try {
            List<FileStatus> files = new ArrayList<>(
                    List.of(fs.listStatus(folder, path -> path.getName().endsWith(".parquet"))));
            files.sort(Comparator.comparing(FileStatus::getPath));
            int groups = 0;
            int crossing = 0;
            boolean indexed = true;
            double bytes = 0;
            double blocks = 0;
            double lastBytes = 0;
            double lastBlocks = 0;
            for (FileStatus file : files) {
                BlockLocation[] located = fs.getFileBlockLocations(file, 0, file.getLen());
                List<BlockMetaData> all = groups(fs, file);
                for (BlockMetaData group : all) {
                    long start = Long.MAX_VALUE;
                    long end = 0;
                    for (ColumnChunkMetaData chunk : group.getColumns()) {
                        start = Math.min(start, chunk.getStartingPos());
                        end = Math.max(end, chunk.getStartingPos() + chunk.getTotalSize());
                        indexed &= chunk.getOffsetIndexReference() != null && chunk.getColumnIndexReference() != null;
                    }
                    groups++;
                    crossing += touched(located, start, end) > 1 ? 1 : 0;
                    long used = group.getOrdinal() == all.size() - 1 ? file.getLen() : end;
                    lastBytes = used - start;
                    lastBlocks = (double) touched(located, start, used) * file.getBlockSize();
                    bytes += lastBytes;
                    blocks += lastBlocks;
                }
            }
            return new Laid(groups, crossing, (bytes - lastBytes) / (blocks - lastBlocks), indexed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int touched(BlockLocation[] located, long start, long end) {
        int touched = 0;
        for (BlockLocation block : located) {
            touched += block.getOffset() < end && block.getOffset() + block.getLength() > start ? 1 : 0;
        }
        return touched;
    }

    private static List<BlockMetaData> groups(FileSystem fs, FileStatus file) throws IOException {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(file, fs.getConf()))) {
            return reader.getFooter().getBlocks();
        }
    }
}
