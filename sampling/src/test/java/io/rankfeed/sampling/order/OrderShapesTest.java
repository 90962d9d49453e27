package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.RequestBuilder;
import io.rankfeed.sampling.plan.ZeroQuota;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Runs of the sizes that are asked for, every row of them read. */
class OrderShapesTest {
    /** Rows of the published sets: train, validation and test. */
    private static final int TRAIN = 3_691_981;

    private static final int[] HELD_OUT = {14_725, 14_851};

    @Test
    void publishedTrainRows_pass_haveEachRowOncePerEpoch() {
        TrainFeed order = single(EpochMode.PASS, TRAIN, 8, 256, 2);
        assertThat(order.stepsPerEpoch()).isEqualTo(14_421);
        for (int epoch = 0; epoch < 2; epoch++) {
            assertThat(seenTwice(order, epoch, 8)).isZero();
        }
    }

    @Test
    void publishedTrainRows_padded_repeatFewerThanABatch() {
        TrainFeed order = single(EpochMode.PADDED, TRAIN, 8, 256, 2);
        assertThat(order.stepsPerEpoch()).isEqualTo(14_422);
        assertThat(seenTwice(order, 1, 4)).isEqualTo(14_422 * 256 - TRAIN);
    }

    @Test
    void publishedHeldOutRows_anyWorldSize_comeOnce() {
        for (int rows : HELD_OUT) {
            SequentialOrder order = new SequentialOrder(8, 64, rows);
            BatchRows out = new BatchRows(64);
            for (int world : Worlds.of(8)) {
                BitSet seen = new BitSet(rows);
                int read = 0;
                for (int rank = 0; rank < world; rank++) {
                    for (long step = 0; step < order.steps(); step++) {
                        order.fill(step, rank, world, out);
                        read += out.size();
                        for (int i = 0; i < out.size(); i++) {
                            seen.set((int) out.index(i));
                        }
                    }
                }
                assertThat(read).isEqualTo(rows);
                assertThat(seen.cardinality()).isEqualTo(rows);
            }
        }
    }

    @Test
    void aHundredThousandRowsInBatchesOfAHundred() {
        TrainFeed pass = single(EpochMode.PASS, 102_768, 4, 100, 5);
        assertThat(pass.stepsPerEpoch()).isEqualTo(1_027);
        TrainFeed padded = single(EpochMode.PADDED, 102_768, 4, 100, 5);
        assertThat(padded.stepsPerEpoch()).isEqualTo(1_028);
        for (int epoch = 0; epoch < 5; epoch++) {
            assertThat(seenTwice(pass, epoch, 2)).isZero();
            assertThat(seenTwice(padded, epoch, 4)).isEqualTo(32);
        }
    }

    /** How many rows of an epoch come for a second time; each row of the pool must come at least once. */
    private static int seenTwice(TrainFeed order, int epoch, int world) {
        int rows = Math.toIntExact(order.strata().get(0).rows());
        BitSet seen = new BitSet(rows);
        int again = 0;
        for (int rank = 0; rank < world; rank++) {
            EpochOrder epochOrder = new EpochOrder(order, rank, world);
            BatchRows batch = new BatchRows(epochOrder.rowsPerBatch());
            for (int step = 0; step < order.stepsPerEpoch(); step++) {
                epochOrder.fill((long) epoch * order.stepsPerEpoch() + step, batch);
                for (int i = 0; i < batch.size(); i++) {
                    int row = (int) batch.index(i);
                    again += seen.get(row) ? 1 : 0;
                    seen.set(row);
                }
            }
        }
        assertThat(seen.cardinality()).isEqualTo(rows);
        return again;
    }

    private static TrainFeed single(EpochMode mode, long rows, int lanes, int batch, int epochs) {
        RequestBuilder request = new RequestBuilder().stratum("all", rows);
        request.mode = mode;
        request.rows = rows;
        request.lanes = lanes;
        request.batch = batch;
        request.epochs = epochs;
        return request.plan();
    }

    /** 20 million rows, of which the commonest category has 2.2 million and most have a few hundred, or fewer than there are lanes. */
    @Test
    void longTail_thousandsOfCategories_keepsAllClaims() {
        int categories = 5_000;
        RequestBuilder request = new RequestBuilder();
        String[] weights = new String[categories];
        long total = 0;
        for (int s = 0; s < categories; s++) {
            int rows = s >= 4_900 ? s % 7 + 1 : 2_210_000 / (s + 1);
            total += rows;
            request.stratum(name(s), rows);
            weights[s] = name(s) + "=" + rows;
        }
        assertThat(total).isBetween(19_500_000L, 20_500_000L);
        request.lanes = 8;
        request.batch = 1024;
        request.rows = total;
        request.zeroQuota = ZeroQuota.ALLOW;
        request.onShortage = OnShortage.REPEAT;
        TrainFeed order = request.stage("1", weights).plan();
        assertThat(order.stepsPerEpoch()).isEqualTo(total / 1024);
        checkLongTail(order, categories);
    }

    private static void checkLongTail(TrainFeed order, int categories) {
        Segment segment = order.segments().get(0);
        long units = segment.quotas().stream().mapToLong(q -> q).sum();
        assertThat(units).isEqualTo(order.steps() * order.rowsPerLane());
        long[] offset = new long[categories + 1];
        for (int s = 0; s < categories; s++) {
            offset[s + 1] = offset[s] + order.strata().get(s).rows();
        }
        int[] drawn = new int[categories];
        BitSet seen = new BitSet(Math.toIntExact(offset[categories]));
        BatchRows batch = new BatchRows(order.batch());
        EpochOrder epochOrder = new EpochOrder(order, 0, 1);
        for (long step = 0; step < order.steps(); step++) {
            epochOrder.fill(step, batch);
            for (int i = 0; i < batch.size(); i++) {
                drawn[batch.stratum(i)]++;
                seen.set((int) (offset[batch.stratum(i)] + batch.index(i)));
            }
        }
        assertThat(seen.cardinality()).isEqualTo(Math.toIntExact(offset[categories]));
        for (int s = 0; s < categories; s++) {
            assertThat(drawn[s]).isEqualTo(order.lanes() * segment.quotas().get(s));
        }
    }

    private static String name(int category) {
        return String.format("c%04d", category);
    }
}
