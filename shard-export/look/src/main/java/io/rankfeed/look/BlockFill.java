package io.rankfeed.look;

import io.rankfeed.look.ParquetFile.RowGroup;
import io.rankfeed.schema.config.Plural;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The layout of row groups on a file system's blocks. A reader of a row group that touches two blocks reads one of them
 * from another machine; a row group that fills little of its block leaves more blocks to open.
 *
 * @param rowGroups all of them
 * @param crossing row groups that touch more than one block
 * @param weighted bytes of row groups, with the indexes and the footer after the last one of a file, per byte of the
 *     blocks they touch; the last row group of all excepted: what is left over is never a full block. NaN where nothing is
 *     left
 * @param p5 fill of the row group that 5 % are below
 * @param p50 the median fill
 * @param reads blocks that are touched when every row group is read once
 * @param leastReads as many, once the same bytes are cut into row groups that fill their blocks
 */
record BlockFill(long rowGroups, long crossing, double weighted, double p5, double p50, long reads, long leastReads) {
    /** What a table that is cut to blocks reaches. */
    private static final double GOOD_FILL = 0.97;

    /** Compares files with their own blocks. */
    static BlockFill of(List<ParquetFile> files) {
        List<PlacedGroup> groups = new ArrayList<>();
        for (ParquetFile file : files) {
            for (RowGroup group : file.rowGroups()) {
                if (group.lengthBytes() > 0) {
                    boolean last = group.end() >= file.rowGroupsEnd();
                    groups.add(new PlacedGroup(group, last ? file.lengthBytes() : group.end(), file.blockBytes()));
                }
            }
        }
        List<PlacedGroup> full = groups.size() > 1 ? groups.subList(0, groups.size() - 1) : groups;
        double bytes = full.stream().mapToDouble(PlacedGroup::usedBytes).sum();
        double touched = full.stream().mapToDouble(PlacedGroup::touchedBytes).sum();
        double[] fills = full.stream().mapToDouble(PlacedGroup::fill).sorted().toArray();
        double least = groups.stream()
                .mapToDouble(lying -> lying.usedBytes() / (GOOD_FILL * lying.blockBytes()))
                .sum();
        return new BlockFill(
                groups.size(),
                groups.stream().filter(lying -> lying.blocks() > 1).count(),
                bytes / touched,
                quantile(fills, 0.05),
                quantile(fills, 0.5),
                groups.stream().mapToLong(PlacedGroup::blocks).sum(),
                (long) Math.ceil(least));
    }

    /** Row groups of a file that touch more than one block. */
    static long crossing(ParquetFile file) {
        return file.rowGroups().stream()
                .filter(group -> group.blocks(file.blockBytes()) > 1)
                .count();
    }

    /** Describes the result in a sentence. */
    String verdict() {
        String cross = crossing == 0
                ? (rowGroups == 1 ? "the one row group does not cross" : "no row group of " + rowGroups + " crosses")
                        + " a block"
                : crossing + " of " + Plural.counted(rowGroups, "row group") + Plural.of(crossing, " crosses", " cross")
                        + " a block";
        long saved = reads - leastReads;
        return saved > 0 && (crossing > 0 || saved > reads / 20)
                ? cross + "; rewriting would save " + saved + " of " + Plural.counted(reads, "block read")
                        + " per epoch"
                : cross + "; rewriting would not reduce block reads";
    }

    /** @param usedEnd its end, or its file's where nothing else follows: indexes and footer are read with it */
    private record PlacedGroup(RowGroup group, long usedEnd, long blockBytes) {
        long blocks() {
            return group.blocks(blockBytes);
        }

        double usedBytes() {
            return usedEnd - group.start();
        }

        double touchedBytes() {
            return (double) new RowGroup(0, group.start(), usedEnd).blocks(blockBytes) * blockBytes;
        }

        double fill() {
            return usedBytes() / touchedBytes();
        }
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
