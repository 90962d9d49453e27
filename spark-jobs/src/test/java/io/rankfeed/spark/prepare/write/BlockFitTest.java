package io.rankfeed.spark.prepare.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class BlockFitTest {
    private static final long SEED = 20260101;

    @Test
    void search_endsAtLargestFittingCountOrAtFullBlock() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 2000; round++) {
            long block = 1000 + random.nextLong(1 << 20);
            long footer = random.nextLong(block / 4);
            double perRow = 0.1 + random.nextDouble() * block / 2;
            double bend = random.nextDouble() * 0.3;
            IntToLongFunction size = rows -> footer + (long) (perRow * Math.pow(rows, 1 - bend));
            if (size.applyAsLong(1) > block) {
                continue;
            }
            // Rows of one to ten bytes in the log, so that bytes predict the size no better than rows do.
            int[] raw = new int[4096];
            for (int i = 1; i < raw.length; i++) {
                raw[i] = raw[i - 1] + 1 + random.nextInt(10);
            }
            IntToLongFunction rawBytes = rows -> (long) raw[4095] * (rows / 4095) + raw[rows % 4095];
            BlockFit fit = new BlockFit(block, 0.98);
            int rows = 1 + random.nextInt(50);
            int tries = 0;
            while (true) {
                fit.measured(new GroupRows(rows, List.of(), rawBytes.applyAsLong(rows), 1), size.applyAsLong(rows));
                boolean fills = fit.fitRows() > 0 && BlockFit.fills(size.applyAsLong(fit.fitRows()), block);
                if (fills || fit.isSettled()) {
                    break;
                }
                long target = fit.nextRawBytes();
                rows = first(target, fit.leastRows(), fit.mostRows(), rawBytes);
                assertThat(++tries).as("seed %d, round %d", SEED, round).isLessThan(200);
            }
            assertThat(size.applyAsLong(fit.fitRows())).isLessThanOrEqualTo(block);
            boolean filled = BlockFit.fills(size.applyAsLong(fit.fitRows()), block);
            assertThat(filled || size.applyAsLong(fit.fitRows() + 1) > block)
                    .as("seed %d, round %d", SEED, round)
                    .isTrue();
        }
    }

    private static int first(long target, int least, int most, IntToLongFunction rawBytes) {
        int low = least;
        int high = Math.min(most, 1 << 30);
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (rawBytes.applyAsLong(middle) <= target) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
