package io.rankfeed.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.look.ParquetFile.RowGroup;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BlockFillTest {
    private static final ParquetSchema SCHEMA = new ParquetSchema(List.of(), Set.of(), List.of());

    @Test
    void oneRowGroupPerBlockCrossesNothing() {
        BlockFill fill = BlockFill.of(List.of(file(4, 98), file(4, 96), file(4, 20)));
        assertThat(fill.rowGroups()).isEqualTo(3);
        assertThat(fill.crossing()).isZero();
        assertThat(fill.weighted()).isCloseTo(0.93, within(1e-9)); // (94 + 92) / 200: the last one is left out
        assertThat(fill.p5()).isCloseTo(0.92, within(1e-9));
    }

    @Test
    void aRowGroupOverABlocksEndCrossesAndPaysForBothBlocks() {
        BlockFill fill = BlockFill.of(List.of(file(4, 90, 150), file(4, 10)));
        assertThat(fill.crossing()).isEqualTo(1);
        assertThat(fill.weighted()).isCloseTo(146 / 300.0, within(1e-9));
        assertThat(fill.p50()).isCloseTo(0.30, within(1e-9));
    }

    @Test
    void aRowGroupThatEndsWithItsBlockDoesNotCross() {
        assertThat(BlockFill.of(List.of(file(4, 100, 200))).crossing()).isZero();
        assertThat(BlockFill.of(List.of(file(4, 100, 201))).crossing()).isEqualTo(1);
    }

    @Test
    void theVerdictCountsTheBlocksThatARecutWouldSave() {
        // Five row groups of 60 in files of 300: they touch 1, 2, 1, 2 and 1 blocks, their bytes fill four.
        BlockFill fill = BlockFill.of(List.of(file(0, 60, 120, 180, 240, 300)));
        assertThat(fill.verdict())
                .isEqualTo("2 of 5 row groups cross a block; rewriting would save 3 of 7 block reads per epoch");
        assertThat(BlockFill.of(List.of(file(0, 97), file(0, 96))).verdict())
                .isEqualTo("no row group of 2 crosses a block; rewriting would not reduce block reads");
        assertThat(BlockFill.of(List.of(file(0, 20), file(0, 20), file(0, 20))).verdict())
                .isEqualTo("no row group of 3 crosses a block; rewriting would save 2 of 3 block reads per epoch");
    }

    @Test
    void aFooterCountsWithTheRowGroupBeforeIt() {
        List<RowGroup> one = List.of(new RowGroup(10, 4, 60));
        ParquetFile file = new ParquetFile("f", 99, 100, SCHEMA, "test", one, Set.of("zstd"));
        assertThat(BlockFill.of(List.of(file)).weighted()).isCloseTo(0.95, within(1e-9));
        assertThat(BlockFill.of(List.of(file.withBlock(70))).crossing()).isZero();
        assertThat(BlockFill.of(List.of(file.withBlock(70))).weighted()).isCloseTo(95 / 140.0, within(1e-9));
    }

    @Test
    void eachFileIsHeldAgainstItsOwnBlock() {
        List<ParquetFile> files = List.of(file(4, 190), file(4, 190).withBlock(200));
        BlockFill fill = BlockFill.of(files);
        assertThat(fill.crossing()).isEqualTo(1);
        assertThat(fill.reads()).isEqualTo(3);
    }

    @Test
    void whatLiesBetweenRowGroupsIsPadding() {
        ParquetFile padded = new ParquetFile(
                "f",
                1_000,
                100,
                SCHEMA,
                "test",
                List.of(new RowGroup(10, 100, 180), new RowGroup(10, 4, 91)),
                Set.of("zstd"));
        assertThat(padded.paddingBytes()).isEqualTo(9);
        assertThat(file(4, 90, 150).paddingBytes()).isZero();
    }

    @Test
    void theOnlyRowGroupCountsAndNoRowGroupIsNoNumber() {
        assertThat(BlockFill.of(List.of(file(0, 50))).weighted()).isCloseTo(0.5, within(1e-9));
        assertThat(BlockFill.of(List.of(file(4))).weighted()).isNaN();
        assertThat(BlockFill.of(List.of()).p50()).isNaN();
    }

    /** @param ends the first group begins at {@code start}, each other one where the one before it ends */
    private static ParquetFile file(long start, long... ends) {
        RowGroup[] groups = new RowGroup[ends.length];
        for (int i = 0; i < ends.length; i++) {
            groups[i] = new RowGroup(10, i == 0 ? start : ends[i - 1], ends[i]);
        }
        long length = ends.length == 0 ? start + 1 : ends[ends.length - 1];
        return new ParquetFile("f", length, 100, SCHEMA, "test", Arrays.asList(groups), Set.of("zstd"));
    }
}
