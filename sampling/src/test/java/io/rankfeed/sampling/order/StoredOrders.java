package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Small seeded orders over stored pools: of one member and of several, with fewer lanes than stored, with batches that change. */
final class StoredOrders {
    private final SplittableRandom random;

    StoredOrders(long seed) {
        this.random = new SplittableRandom(seed);
    }

    TrainFeed next() {
        int kind = random.nextInt(8);
        return kind < 5 ? stream(kind == 0) : epochs(kind < 7 ? EpochMode.PASS : EpochMode.PADDED);
    }

    private int lanes() {
        return of(1, 2, 3, 4, 6, 8);
    }

    private int of(int... values) {
        return values[random.nextInt(values.length)];
    }

    private TrainFeed stream(boolean batchChanges) {
        int lanes = lanes();
        int count = random.nextBoolean() ? 1 : random.nextInt(2, 5);
        RowOrder order = count == 1 && random.nextInt(4) == 0 ? RowOrder.PLANNED : RowOrder.GLOBAL;
        List<Member> members = IntStream.range(0, count)
                .mapToObj(i -> member("m" + i, lanes, order, pools(lanes)))
                .toList();
        List<Long> rows = members.stream()
                .flatMap(member -> member.strata().stream())
                .map(Stratum::rows)
                .toList();
        int largest = random.nextInt(1, 6);
        List<Segment> segments = new ArrayList<>();
        long[] base = new long[rows.size()];
        int step = 0;
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            int steps = random.nextInt(1, 13);
            int rowsPerLane = batchChanges && i > 1 ? random.nextInt(1, largest + 1) : largest;
            long[] quotas = quotas(rows, steps * rowsPerLane);
            segments.add(segment(segments.size(), step, steps, lanes, order, quotas, base, rowsPerLane, largest));
            for (int s = 0; s < base.length; s++) {
                base[s] += quotas[s];
            }
            step += steps;
        }
        int run = step;
        int perEpoch = random.nextInt(1, run + 1);
        if (batchChanges) {
            List<Long> starts = IntStream.range(0, run)
                    .filter(t -> t == 0 || random.nextInt(perEpoch) == 0)
                    .mapToObj(t -> (long) t)
                    .toList();
            return new TrainFeed("train", random.nextLong(), lanes, lanes * largest, starts, order, members, segments);
        }
        boolean wide = count == 1 && order == RowOrder.GLOBAL && random.nextInt(4) == 0;
        return feed(
                lanes, largest, (run - 1) / perEpoch + 1, perEpoch, EpochMode.STREAM, order, wide, members, segments);
    }

    /** A pass or a padded feed. */
    private TrainFeed epochs(EpochMode mode) {
        int lanes = lanes();
        int stored = lanes * of(1, 1, 2, 3);
        RowOrder order = random.nextInt(4) == 0 ? RowOrder.PLANNED : RowOrder.GLOBAL;
        int own = random.nextBoolean() ? random.nextInt(1, 7) : random.nextInt(60, 70);
        long pool = (long) stored * own + of(0, random.nextInt(stored));
        long most = mode == EpochMode.PASS ? (long) stored * own : pool;
        int rowsPerLane = random.nextInt(1, (int) Math.min(6, most / lanes) + 1);
        long batch = (long) rowsPerLane * lanes;
        int perEpoch = (int) (mode == EpochMode.PADDED ? (pool + batch - 1) / batch : most / batch);
        if (mode == EpochMode.PASS && random.nextInt(3) == 0) {
            perEpoch = random.nextInt(1, perEpoch + 1);
        }
        List<Segment> segments = new ArrayList<>();
        int epochs = random.nextInt(1, 8);
        for (int e = 0; e < epochs; e++) {
            long[] quotas = {(long) perEpoch * rowsPerLane};
            long[] base = {mode == EpochMode.PADDED ? 0 : e * quotas[0]};
            int step = e * perEpoch;
            segments.add(segment(e, step, perEpoch, lanes, order, quotas, base, rowsPerLane, rowsPerLane));
        }
        Member member = new Member(
                "train", "data", "0".repeat(16), "train", stored, cycles(order), List.of(new Stratum("all", pool)));
        boolean wide = order == RowOrder.GLOBAL && random.nextInt(4) == 0;
        return feed(lanes, rowsPerLane, epochs, perEpoch, mode, order, wide, List.of(member), segments);
    }

    private TrainFeed feed(
            int lanes,
            int rowsPerLane,
            int epochs,
            int perEpoch,
            EpochMode mode,
            RowOrder order,
            boolean wide,
            List<Member> members,
            List<Segment> segments) {
        return new TrainFeed(
                "train",
                random.nextLong(),
                lanes,
                lanes * rowsPerLane,
                epochs,
                perEpoch,
                List.of(),
                mode,
                order,
                wide ? perEpoch : 1,
                members,
                segments);
    }

    private Member member(String name, int lanes, RowOrder order, List<Long> pools) {
        List<Stratum> strata = IntStream.range(0, pools.size())
                .mapToObj(s -> new Stratum("s" + s, pools.get(s)))
                .toList();
        return new Member(name, "data", "0".repeat(16), "train", lanes * of(1, 1, 2, 3, 4), cycles(order), strata);
    }

    private RowCycles cycles(RowOrder order) {
        return order == RowOrder.PLANNED
                ? RowCycles.LIST
                : List.of(RowCycles.values()).get(random.nextInt(3));
    }

    /** The first pool has rows. */
    private List<Long> pools(int lanes) {
        return IntStream.range(0, random.nextInt(1, 5))
                .mapToObj(s ->
                        (long) of(s == 0 ? 1 : 0, 1, random.nextInt(1, lanes + 1), 12 * lanes, random.nextInt(1, 99)))
                .toList();
    }

    private long[] quotas(List<Long> rows, int units) {
        long[] quotas = new long[rows.size()];
        int favored = random.nextInt(quotas.length);
        for (int unit = 0; unit < units; unit++) {
            int s = random.nextInt(3) == 0 ? favored : random.nextInt(quotas.length);
            quotas[rows.get(s) > 0 ? s : 0]++;
        }
        return quotas;
    }

    private Segment segment(
            int number,
            long step,
            long steps,
            int lanes,
            RowOrder order,
            long[] quotas,
            long[] base,
            int rowsPerLane,
            int largest) {
        return new Segment(
                step,
                steps,
                number,
                LongStream.of(quotas).boxed().toList(),
                LongStream.of(base).boxed().toList(),
                Multiplier.choose(steps, lanes),
                order == RowOrder.PLANNED ? 0 : random.nextLong(steps),
                number,
                rowsPerLane == largest ? OptionalInt.empty() : OptionalInt.of(rowsPerLane * lanes));
    }
}
