package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class BlockFitTest {
    private static final long SEED = 20260101;

    @Test
    void theSearchEndsAtTheLargestCountThatFitsOrAtOneThatFills() {
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
            BlockFit fit = new BlockFit(block);
            int rows = 1 + random.nextInt(50);
            int tries = 0;
            while (true) {
                fit.measured(rows, size.applyAsLong(rows));
                boolean fills = fit.fitRows() > 0 && BlockFit.fills(size.applyAsLong(fit.fitRows()), block);
                if (fills || fit.isSettled()) {
                    break;
                }
                rows = fit.next();
                assertThat(++tries).as("seed %d, round %d", SEED, round).isLessThan(200);
            }
            assertThat(size.applyAsLong(fit.fitRows())).isLessThanOrEqualTo(block);
            boolean filled = BlockFit.fills(size.applyAsLong(fit.fitRows()), block);
            assertThat(filled || size.applyAsLong(fit.fitRows() + 1) > block)
                    .as("seed %d, round %d", SEED, round)
                    .isTrue();
        }
    }
}
