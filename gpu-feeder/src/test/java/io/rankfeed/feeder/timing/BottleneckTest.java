package io.rankfeed.feeder.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.testing.Seed;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What limits a feed, for tables of stages as feeds of each kind have them. */
class BottleneckTest {
    private static final List<String> NAMES = List.of(
            "wait_slot",
            "fill",
            "read",
            "decode",
            "resize",
            "assemble",
            "text",
            "wait_batch",
            "transform",
            "copy",
            "trainer",
            "other");

    private static LongStream seeds() {
        return Seed.several(BottleneckTest.class, 500);
    }

    /** Times of one client in a minute; {@code name seconds, name seconds …}. */
    private static StageTimes minute(String words) {
        return times(60, words);
    }

    private static StageTimes times(long seconds, String words) {
        SortedMap<String, StageTimes.Sum> stages = new TreeMap<>();
        for (String word : words.split(", ", -1)) {
            String[] parts = word.split(" ", -1);
            stages.put(parts[0], new StageTimes.Sum(100, (long) (Double.parseDouble(parts[1]) * 1e9)));
        }
        return new StageTimes(seconds * 1_000_000_000L, stages);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // The ring is full.
                "trainer   | wait_slot 55, fill 5, assemble 5, wait_batch 0, trainer 60",
                "trainer   | wait_slot 20, fill 40, read 1, decode 90, wait_batch 0.1, trainer 59",
                "trainer   | wait_slot 30, fill 30, decode 30, wait_batch 0.5, trainer 59, transform 170",
                "transform | wait_slot 50, fill 10, assemble 9, wait_batch 0.5, transform 50, trainer 9",
                "copy      | wait_slot 40, fill 20, assemble 19, wait_batch 1, copy 45, trainer 14",
                "trainer   | wait_slot 40, fill 20, assemble 19, wait_batch 1, transform 20, trainer 39",
                // Neither side is waited for: data does not limit.
                "trainer   | wait_slot 0, fill 4, assemble 4",
                // The ring is empty.
                "read      | wait_slot 0, fill 60, read 50, assemble 8, wait_batch 50, trainer 10",
                "decode    | wait_slot 1, fill 59, read 2, decode 100, resize 17, assemble 3, wait_batch 30, trainer 30",
                "resize    | wait_slot 1, fill 59, read 2, decode 10, resize 17, assemble 3, wait_batch 30, trainer 30",
                "text      | wait_slot 1, fill 59, text 40, assemble 19, wait_batch 20, trainer 40",
                "assemble  | wait_slot 1, fill 59, text 10, assemble 49, wait_batch 20, trainer 40",
                "fill      | wait_slot 1, fill 59, wait_batch 20, trainer 40",
                "decode    | wait_slot 2, fill 58, decode 58, wait_batch 20, transform 10, trainer 30",
                // Both sides wait for the processes between them.
                "transform | wait_slot 40, fill 20, decode 20, wait_batch 50, transform 110, trainer 10",
                "transform | wait_slot 45, fill 15, assemble 14, wait_batch 20, transform 59, trainer 40",
            })
    void limit_isTheStageThatOthersWaitFor(String stage, String words) {
        Bottleneck found = Bottleneck.between(StageTimes.NONE, minute(words));
        assertThat(found.stage()).as(found.toString()).isEqualTo(stage);
    }

    @Test
    void numbers_areThoseBetweenTheMoments() {
        StageTimes before = times(600, "wait_slot 500, fill 90, decode 80, wait_batch 1, trainer 590");
        StageTimes since = minute("wait_slot 3, fill 57, decode 42, read 14, wait_batch 15, trainer 44");
        Bottleneck found = Bottleneck.between(before, before.plus(since));
        assertThat(found.stage()).isEqualTo("decode");
        assertThat(found.share()).isCloseTo(0.75, within(1e-9));
        assertThat(found.dataWait()).isCloseTo(0.25, within(1e-9));
        assertThat(found.slotWait()).isCloseTo(0.05, within(1e-9));
    }

    @Test
    void ranks_areOneFeed() {
        StageTimes idle = minute("wait_slot 59, fill 1, assemble 1, wait_batch 0, trainer 60");
        StageTimes starved = minute("wait_slot 0, fill 60, assemble 60, wait_batch 60, trainer 0");
        assertThat(Bottleneck.between(StageTimes.NONE, idle.plus(starved)).dataWait())
                .isCloseTo(0.5, within(1e-9));
    }

    /** A wait for a slot is recorded when it ends: here after ten minutes in which the trainer did something else. */
    @Test
    void waitThatBeganBefore_countsAsMuchAsThereWasTime() {
        Bottleneck found = Bottleneck.between(
                StageTimes.NONE, minute("wait_slot 600, fill 50, decode 45, wait_batch 40, trainer 15"));
        assertThat(found.slotWait()).isCloseTo(1 / 6.0, within(1e-9));
        assertThat(found.stage()).isEqualTo("decode");
    }

    @Test
    void nothing_isIdle() {
        StageTimes before = minute("wait_slot 3, fill 57, decode 42, wait_batch 15, trainer 44");
        StageTimes later = before.plus(new StageTimes(60_000_000_000L, new TreeMap<>()));
        Bottleneck idle = new Bottleneck("idle", 0, 0, 0);
        assertThat(Bottleneck.between(before, later)).isEqualTo(idle);
        assertThat(Bottleneck.between(StageTimes.NONE, StageTimes.NONE)).isEqualTo(idle);
        // The table of a new feeder.
        assertThat(Bottleneck.between(later, StageTimes.NONE)).isEqualTo(idle);
    }

    /** The client counts a wait when it ends, and its time while it lasts. */
    @Test
    void waitThatHasNotEnded_isDataWait() {
        StageTimes before = minute("wait_slot 3, fill 57, decode 42, wait_batch 15, trainer 44");
        SortedMap<String, StageTimes.Sum> waits = new TreeMap<>();
        waits.put("wait_batch", new StageTimes.Sum(0, 60_000_000_000L));
        Bottleneck found = Bottleneck.between(before, before.plus(new StageTimes(60_000_000_000L, waits)));
        assertThat(found).isEqualTo(new Bottleneck("fill", 0, 1, 0));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyTables_haveSharesAndAStageThatRan(long seed) {
        Random random = new Random(seed);
        StageTimes before = drawn(random);
        StageTimes after = random.nextBoolean() ? drawn(random) : before.plus(drawn(random));
        Bottleneck found = Bottleneck.between(before, after);
        assertThat(List.of(found.share(), found.dataWait(), found.slotWait()))
                .as(found.toString())
                .allMatch(share -> share >= 0 && share <= 1);
        StageTimes since = after.since(before);
        boolean isIdle = NAMES.stream().allMatch(name -> since.count(name) == 0 && since.nanos(name) == 0);
        assertThat(found.stage().equals("idle")).isEqualTo(isIdle);
        assertThat(found.stage()).isNotIn("wait_batch", "wait_slot");
        assertThat(Bottleneck.between(before, after)).isEqualTo(found);
        assertThat(Bottleneck.between(after, after).stage()).isEqualTo("idle");
    }

    private static StageTimes drawn(Random random) {
        SortedMap<String, StageTimes.Sum> stages = new TreeMap<>();
        for (String name : NAMES) {
            if (random.nextInt(3) > 0) {
                stages.put(name, new StageTimes.Sum(number(random), number(random)));
            }
        }
        return new StageTimes(number(random), stages);
    }

    /** Zero, a small number, any other, or the largest. */
    private static long number(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> Long.MAX_VALUE;
            case 2 -> random.nextLong(Long.MAX_VALUE);
            default -> random.nextLong(100_000_000_000L);
        };
    }
}
