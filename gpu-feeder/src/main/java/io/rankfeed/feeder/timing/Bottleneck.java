package io.rankfeed.feeder.timing;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What limits a feed between two moments. Feeder and trainer work at the same time; the slower side is the one that waits less. The
 * feeder waits for free slots while the ring is full, the trainer waits for batches while it is empty.
 *
 * @param stage the stage that limits, by its name in the stage table: {@code trainer}, {@code transform}, {@code copy}, or the stage of
 *     the feeder that took most of its work; {@link #IDLE} if no stage ran
 * @param share its part of the work of its side, 0 to 1
 * @param dataWait the part of the clients' time in which they waited for a batch, 0 to 1
 * @param slotWait the part of that time in which the feeder waited for a free slot, 0 to 1
 */
public record Bottleneck(String stage, double share, double dataWait, double slotWait) {
    /** Stands for a stage where none ran. */
    public static final String IDLE = "idle";

    /** Where a transform keeps a process busy for this part of the time, it can be what both sides wait for. */
    private static final double BUSY = 0.5;

    /** Waits of less than this part of the time come with every queue. */
    private static final double NOTICEABLE = 0.1;

    private static final Set<String> TRAINERS_SIDE = ids(EnumSet.of(Stage.TRAINER, Stage.TRANSFORM, Stage.COPY));
    private static final Set<String> NO_WORK = ids(EnumSet.of(Stage.WAIT_BATCH, Stage.WAIT_SLOT, Stage.FILL));

    public static Bottleneck between(StageTimes before, StageTimes after) {
        StageTimes times = after.since(before);
        if (times.stages().values().stream().allMatch(sum -> sum.count() == 0 && sum.nanos() == 0)) {
            return new Bottleneck(IDLE, 0, 0, 0);
        }
        double attached = times.attachedNanos();
        double dataWait = times.dataWait();
        // A wait for a slot is recorded at its end, so a long one may have passed before the first moment: at most
        // the time without a fill counts.
        double unfilled = Math.max(0, attached - nanos(times, Stage.FILL));
        double slotWait = part(Math.min(nanos(times, Stage.WAIT_SLOT), unfilled), attached);

        String limit;
        if (part(nanos(times, Stage.TRANSFORM), attached) >= BUSY && Math.min(dataWait, slotWait) >= NOTICEABLE) {
            limit = Stage.TRANSFORM.id();
        } else if (dataWait > slotWait) {
            limit = longest(times, name -> !TRAINERS_SIDE.contains(name) && !NO_WORK.contains(name), Stage.FILL);
        } else if (part(nanos(times, Stage.TRAINER), attached) >= BUSY) {
            limit = Stage.TRAINER.id();
        } else {
            limit = longest(times, TRAINERS_SIDE::contains, Stage.TRAINER);
        }
        boolean isTrainersSide = TRAINERS_SIDE.contains(limit);
        double work = times.stages().keySet().stream()
                .filter(name -> !NO_WORK.contains(name) && TRAINERS_SIDE.contains(name) == isTrainersSide)
                .mapToDouble(times::nanos)
                .sum();
        return new Bottleneck(limit, part((double) times.nanos(limit), work), dataWait, slotWait);
    }

    /** The part of the node that limits. */
    public Part part() {
        return Part.of(stage);
    }

    /** The stage that took most time. */
    private static String longest(StageTimes times, Predicate<String> which, Stage ifNone) {
        return times.stages().keySet().stream()
                .filter(which)
                .filter(name -> times.nanos(name) > 0)
                .max(Comparator.comparingLong(times::nanos))
                .orElse(ifNone.id());
    }

    private static double nanos(StageTimes times, Stage stage) {
        return times.nanos(stage.id());
    }

    private static double part(double nanos, double whole) {
        return whole > 0 ? Math.min(1, nanos / whole) : 0;
    }

    private static Set<String> ids(Set<Stage> stages) {
        return stages.stream().map(Stage::id).collect(Collectors.toUnmodifiableSet());
    }
}
