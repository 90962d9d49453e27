package io.rankfeed.spark.inspect;

import io.rankfeed.spark.inspect.ParquetFile.RowGroup;
import java.util.Arrays;
import java.util.List;

/**
 * How row groups lie on a file system's blocks. A reader of a row group that touches two blocks reads one of them from
 * another machine; one that fills little of its block leaves more blocks to open.
 *
 * @param rowGroups all of them
 * @param crossing row groups that touch more than one block
 * @param weighted bytes of row groups per byte of the blocks they touch, the last row group excepted: what is left over
 *     is never a full block. NaN where nothing is left
 * @param p5 fill of the row group that 5 % are below
 * @param p50 the median fill
 */
record BlockFill(long rowGroups, long crossing, double weighted, double p5, double p50) {
    static BlockFill of(List<ParquetFile> files, long blockBytes) {
        List<RowGroup> groups = files.stream()
                .flatMap(file -> file.rowGroups().stream())
                .filter(group -> group.lengthBytes() > 0)
                .toList();
        long crossing =
                groups.stream().filter(group -> blocks(group, blockBytes) > 1).count();
        List<RowGroup> full = groups.size() > 1 ? groups.subList(0, groups.size() - 1) : groups;
        double bytes = full.stream().mapToDouble(RowGroup::lengthBytes).sum();
        double touched =
                full.stream().mapToDouble(group -> blocks(group, blockBytes)).sum() * blockBytes;
        double[] fills = full.stream()
                .mapToDouble(group -> (double) group.lengthBytes() / blocks(group, blockBytes) / blockBytes)
                .sorted()
                .toArray();
        return new BlockFill(groups.size(), crossing, bytes / touched, quantile(fills, 0.05), quantile(fills, 0.5));
    }

    private static long blocks(RowGroup group, long blockBytes) {
        return (group.end() - 1) / blockBytes - group.start() / blockBytes + 1;
    }

    private static double quantile(double[] sorted, double q) {
        return sorted.length == 0
                ? Double.NaN
                : Arrays.stream(sorted)
                        .skip((long) (q * (sorted.length - 1)))
                        .findFirst()
                        .orElseThrow();
    }
}
