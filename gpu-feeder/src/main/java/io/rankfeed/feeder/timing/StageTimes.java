package io.rankfeed.feeder.timing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.regex.Pattern;

/**
 * How often and how long the stages of some clients ran, since they attached or between two moments.
 *
 * @param attachedNanos the time for which the clients were attached, summed over them
 * @param stages by the name in the stage table
 */
public record StageTimes(long attachedNanos, SortedMap<String, Sum> stages) {
    /** The times of no client. */
    public static final StageTimes NONE = new StageTimes(0, new TreeMap<>());

    /** Each holds a slot of a ring. */
    private static final int MAX_PROCESSES = 4096;

    private static final int NAME_BYTES = 48;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

    /**
     * The durations of one stage.
     *
     * @param buckets how many there are in each bucket of {@link StageTimer#bucket}
     * @param processes that run the stage for one client at the same time; 0 if that is the client itself, or the feeder
     */
    public record Sum(long count, long nanos, List<Long> buckets, int processes) {
        private static final Sum ZERO = new Sum(0, 0);

        public Sum {
            buckets = List.copyOf(buckets);
        }

        /** Durations of the same length. */
        public Sum(long count, long nanos) {
            this(count, nanos, equal(count, nanos), 0);
        }

        private static List<Long> equal(long count, long nanos) {
            List<Long> buckets = new ArrayList<>(Collections.nCopies(StageTimer.BUCKETS, 0L));
            if (count > 0) {
                buckets.set(StageTimer.bucket(nanos / count), count);
            }
            return buckets;
        }

        private Sum with(Sum other, LongBinaryOperator operator) {
            List<Long> both = new ArrayList<>(buckets.size());
            for (int bucket = 0; bucket < buckets.size(); bucket++) {
                both.add(operator.applyAsLong(buckets.get(bucket), other.buckets.get(bucket)));
            }
            return new Sum(
                    operator.applyAsLong(count, other.count),
                    operator.applyAsLong(nanos, other.nanos),
                    both,
                    Math.max(processes, other.processes));
        }

        /**
         * Returns the seconds that at least this part of the durations does not exceed: the upper bound of a bucket, so at most
         * twice the true value. 0 where that is at most 125 ns, as for waits that did not happen, and where there are no durations.
         */
        public double quantile(double share) {
            long all = buckets.stream().mapToLong(Long::longValue).sum();
            long seen = 0;
            for (int bucket = 0; bucket < buckets.size(); bucket++) {
                seen += buckets.get(bucket);
                if (buckets.get(bucket) > 0 && seen >= share * all) {
                    return bucket == 0 ? 0 : StageTimer.upperNanos(bucket) / 1e9;
                }
            }
            return 0;
        }
    }

    public StageTimes {
        stages = Collections.unmodifiableSortedMap(new TreeMap<>(stages));
    }

    /**
     * Reads a stage table (docs/format/ring.md, section 7). A client may have written anything into it: names that no stage has are
     * left out.
     *
     * @param table little-endian, {@link StageTable#BYTES} from its position on
     */
    public static StageTimes read(ByteBuffer table, long attachedNanos) {
        SortedMap<String, Sum> stages = new TreeMap<>();
        byte[] ascii = new byte[NAME_BYTES];
        for (int entry = 0; entry < StageTable.ENTRIES; entry++) {
            int at = table.position() + entry * StageTimer.BYTES;
            table.get(at, ascii);
            String name = new String(ascii, StandardCharsets.US_ASCII).replaceFirst("\0+$", "");
            if (NAME.matcher(name).matches()) {
                long count = Math.max(0, table.getLong(at + StageTimer.COUNT));
                long nanos = Math.max(0, table.getLong(at + StageTimer.NANOS));
                int processes = Math.clamp(table.getLong(at + StageTimer.PROCESSES), 0, MAX_PROCESSES);
                stages.merge(
                        name,
                        new Sum(count, nanos, buckets(table, at), processes),
                        (a, b) -> a.with(b, StageTimes::add));
            }
        }
        return new StageTimes(attachedNanos, stages);
    }

    private static List<Long> buckets(ByteBuffer table, int at) {
        List<Long> buckets = new ArrayList<>(StageTimer.BUCKETS);
        for (int bucket = 0; bucket < StageTimer.BUCKETS; bucket++) {
            buckets.add(Math.max(0, table.getLong(at + StageTimer.FIRST_BUCKET + bucket * Long.BYTES)));
        }
        return buckets;
    }

    /** The times of other clients, or of other connections, in addition. */
    public StageTimes plus(StageTimes other) {
        return with(other, StageTimes::add);
    }

    /** What was added since an earlier moment. */
    public StageTimes since(StageTimes earlier) {
        return with(earlier, (now, before) -> Math.max(0, now - Math.max(0, before)));
    }

    public long count(String stage) {
        return stages.getOrDefault(stage, Sum.ZERO).count();
    }

    public long nanos(String stage) {
        return stages.getOrDefault(stage, Sum.ZERO).nanos();
    }

    /** The part of the clients' time in which they waited for a batch, 0 to 1. */
    public double dataWait() {
        return attachedNanos > 0 ? Math.min(1, (double) nanos(Stage.WAIT_BATCH.id()) / attachedNanos) : 0;
    }

    /** Processes that run a stage for one client at the same time; 0 if that is the client itself, or the feeder. */
    public int processes(String stage) {
        return stages.getOrDefault(stage, Sum.ZERO).processes();
    }

    /** The seconds that at least this part of a stage's durations does not exceed, as {@link Sum#quantile}. */
    public double quantile(String stage, double share) {
        return stages.getOrDefault(stage, Sum.ZERO).quantile(share);
    }

    private StageTimes with(StageTimes other, LongBinaryOperator operator) {
        SortedMap<String, Sum> all = new TreeMap<>(other.stages);
        all.replaceAll((name, sum) -> Sum.ZERO.with(sum, operator));
        stages.forEach((name, sum) -> all.put(name, sum.with(other.stages.getOrDefault(name, Sum.ZERO), operator)));
        return new StageTimes(operator.applyAsLong(attachedNanos, other.attachedNanos), all);
    }

    /** Adds numbers of 0 or more; what is too large is the largest number. */
    private static long add(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
