package io.rankfeed.feeder.timing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
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

    private static final int NAME_BYTES = 48;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

    /** The durations of one stage. */
    public record Sum(long count, long nanos) {
        private static final Sum ZERO = new Sum(0, 0);

        private Sum with(Sum other, LongBinaryOperator operator) {
            return new Sum(operator.applyAsLong(count, other.count), operator.applyAsLong(nanos, other.nanos));
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
                stages.merge(name, new Sum(count, nanos), (a, b) -> a.with(b, StageTimes::add));
            }
        }
        return new StageTimes(attachedNanos, stages);
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
