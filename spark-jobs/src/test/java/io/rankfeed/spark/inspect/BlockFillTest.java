package io.rankfeed.spark.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.spark.inspect.ParquetFile.RowGroup;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Test;

class BlockFillTest {
    @Test
    void oneRowGroupPerBlockCrossesNothing() {
        BlockFill fill = BlockFill.of(List.of(file(4, 98), file(4, 96), file(4, 20)), 100);
        assertThat(fill.rowGroups()).isEqualTo(3);
        assertThat(fill.crossing()).isZero();
        assertThat(fill.weighted()).isCloseTo(0.93, within(1e-9)); // (94 + 92) / 200: the last one is left out
        assertThat(fill.p5()).isCloseTo(0.92, within(1e-9));
    }

    @Test
    void aRowGroupOverABlocksEndCrossesAndPaysForBothBlocks() {
        BlockFill fill = BlockFill.of(List.of(file(4, 90, 150), file(4, 10)), 100);
        assertThat(fill.crossing()).isEqualTo(1);
        assertThat(fill.weighted()).isCloseTo(146 / 300.0, within(1e-9));
        assertThat(fill.p50()).isCloseTo(0.30, within(1e-9));
    }

    @Test
    void aRowGroupThatEndsWithItsBlockDoesNotCross() {
        assertThat(BlockFill.of(List.of(file(4, 100, 200)), 100).crossing()).isZero();
        assertThat(BlockFill.of(List.of(file(4, 100, 201)), 100).crossing()).isEqualTo(1);
    }

    @Test
    void theOnlyRowGroupCountsAndNoRowGroupIsNoNumber() {
        assertThat(BlockFill.of(List.of(file(0, 50)), 100).weighted()).isCloseTo(0.5, within(1e-9));
        assertThat(BlockFill.of(List.of(file(4)), 100).weighted()).isNaN();
        assertThat(BlockFill.of(List.of(), 100).p50()).isNaN();
    }

    /** @param ends the first group begins at {@code start}, each other one where the one before it ends */
    private static ParquetFile file(long start, long... ends) {
        RowGroup[] groups = new RowGroup[ends.length];
        for (int i = 0; i < ends.length; i++) {
            groups[i] = new RowGroup(10, i == 0 ? start : ends[i - 1], ends[i]);
        }
        return new ParquetFile(
                "f", 1_000, 100, new MessageType("m", List.of()), "test", Arrays.asList(groups), Set.of("zstd"));
    }
}
