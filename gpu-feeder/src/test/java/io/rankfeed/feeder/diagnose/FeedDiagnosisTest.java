package io.rankfeed.feeder.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.timing.StageTimer;
import io.rankfeed.feeder.timing.StageTimes;
import io.rankfeed.feeder.timing.StageTimes.Sum;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A simulated pipeline of one feeder and one trainer per rank, whose every number is known. */
class FeedDiagnosisTest {
    private static final long MILLI = 1_000_000;
    private static final int BATCHES = 200;

    @Test
    void diagnosis_loadBoundFeed_predictsItsThroughput() {
        // Load 30 ms, compute 10 ms: a step takes 30 ms, of which the trainer waits 20.
        FeedDiagnosis diagnosis = FeedDiagnosis.of(stretch(2, 30, Map.of("fill", 30, "decode", 28), 10, 20));
        assertThat(diagnosis.load()).isEqualTo(0.030, within(1e-9));
        assertThat(diagnosis.compute()).isEqualTo(0.010, within(1e-9));
        assertThat(diagnosis.consume()).isEqualTo(0.010, within(1e-9));
        assertThat(diagnosis.utilization()).isEqualTo(1 / 3.0, within(1e-9));
        assertThat(diagnosis.measuredThroughput()).isEqualTo(2 * 64 / 0.030, within(1e-6));
        assertThat(diagnosis.predictedThroughput()).isEqualTo(diagnosis.loadThroughput());
        assertThat(diagnosis.predictionError()).isLessThan(1e-9);
        assertThat(diagnosis.prefetchSpeedup()).isEqualTo(4 / 3.0, within(1e-9));
        assertThat(diagnosis.secondsWithoutPrefetch()).isEqualTo(BATCHES * 0.040, within(1e-9));
        assertThat(diagnosis.secondsWithPrefetch()).isEqualTo(0.030 + BATCHES * 0.030, within(1e-9));
        assertThat(diagnosis.part().word()).isEqualTo("decode");
        assertThat(diagnosis.isShort()).isFalse();
        assertThat(diagnosis.depth()).as("more slots do not help").isEqualTo(2);
        assertThat(diagnosis.ringBytes()).isEqualTo(2 << 20);
    }

    @Test
    void diagnosis_trainerBoundFeed_predictsItsThroughput() {
        FeedDiagnosis diagnosis =
                FeedDiagnosis.of(stretch(1, 50, Map.of("fill", 5, "wait_slot", 45, "assemble", 4), 50, 0));
        assertThat(diagnosis.part().word()).isEqualTo("trainer");
        assertThat(diagnosis.utilization()).isEqualTo(1);
        assertThat(diagnosis.predictedThroughput()).isEqualTo(64 / 0.050, within(1e-6));
        assertThat(diagnosis.predictionError()).isLessThan(1e-9);
        assertThat(diagnosis.depth()).isEqualTo(2);
    }

    @Test
    void diagnosis_transformInWorkers_predictsItsThroughput() {
        // Load 3 ms, a transform of 80 ms in 4 workers, compute 10 ms: a step takes 20 ms, of which the trainer waits
        // 10.
        FeedStretch plain = stretch(2, 20, Map.of("fill", 3, "wait_slot", 17, "transform", 80), 10, 10);
        SortedMap<String, Sum> stages = new TreeMap<>(plain.times().stages());
        stages.computeIfPresent("transform", (name, all) -> new Sum(all.count(), all.nanos(), all.buckets(), 4));
        StageTimes times = new StageTimes(plain.times().attachedNanos(), stages);
        FeedDiagnosis diagnosis = FeedDiagnosis.of(
                new FeedStretch("train", 2, plain.seconds(), plain.rows(), plain.batches(), times, 1, 4, 1, 2));
        assertThat(diagnosis.part().word()).isEqualTo("transform");
        assertThat(diagnosis.consume()).isEqualTo(0.010, within(1e-9));
        assertThat(diagnosis.transformThroughput()).isEqualTo(2 * 64 / 0.020, within(1e-6));
        assertThat(diagnosis.predictionError()).isLessThan(1e-9);
        assertThat(diagnosis.secondsWithoutPrefetch()).isEqualTo(BATCHES * 0.093, within(1e-9));
        assertThat(diagnosis.secondsWithPrefetch()).isEqualTo(0.003 + BATCHES * 0.020, within(1e-9));
        assertThat(diagnosis.prefetchSpeedup()).isEqualTo(93 / 20.0, within(1e-9));
        assertThat(diagnosis.depth())
                .as("a client requires two slots more than workers")
                .isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource({
        "read, disk",
        "verify, verify",
        "text, text",
        "assemble, assembly",
        "fill, assembly",
        "random_crop, decode",
        "other, decode"
    })
    void part_ofEachStage_isAWord(String stage, String part) {
        Map<String, Integer> times = new LinkedHashMap<>(Map.of("fill", 30));
        if (!stage.equals("fill")) {
            times.put(stage, 29);
        }
        assertThat(FeedDiagnosis.of(stretch(1, 30, times, 1, 29)).part().word()).isEqualTo(part);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 2, 2", "2, 1, 2, 2", "16, 1, 8, 8", "16, 4, 4, 16", "96, 8, 8, 64", "4, 8, 2, 4", "3, 2, 2, 3"})
    void workers_processorsAndRanks_followTheRule(int processors, int ranks, int ofRank, int all) {
        FeedStretch one = stretch(ranks, 30, Map.of("fill", 30), 10, 20);
        FeedDiagnosis diagnosis = FeedDiagnosis.of(new FeedStretch(
                "train", ranks, one.seconds(), one.rows(), one.batches(), one.times(), 1, 4, 1, processors));
        assertThat(diagnosis.workersOfRank()).isEqualTo(ofRank);
        assertThat(diagnosis.workers()).isEqualTo(all);
    }

    @Test
    void depth_loadsOfUnequalLength_hidesTheSlowOnes() {
        long[] fills = new long[100];
        for (int i = 0; i < fills.length; i++) {
            fills[i] = i % 10 == 0 ? 50 * MILLI : 5 * MILLI;
        }
        FeedStretch equal = stretch(1, 20, Map.of("fill", 10), 20, 0);
        FeedStretch unequal = new FeedStretch(
                "train",
                1,
                equal.seconds(),
                equal.rows(),
                equal.batches(),
                times(1, Map.of("fill", fills)),
                1,
                4,
                1,
                2);
        assertThat(FeedDiagnosis.of(equal).depth()).isEqualTo(2);
        assertThat(FeedDiagnosis.of(unequal).slowLoad()).isBetween(0.050, 0.100);
        assertThat(FeedDiagnosis.of(unequal).depth()).isBetween(4, 6);
    }

    @Test
    void diagnosis_withoutTimes_isIdleAndFinite() {
        FeedStretch none = new FeedStretch("train", 1, 3, 64, 1, StageTimes.NONE, 1, 4, 1, 2);
        FeedDiagnosis diagnosis = FeedDiagnosis.of(none);
        assertThat(diagnosis.isShort()).isTrue();
        assertThat(diagnosis.part().word()).isEqualTo("idle");
        assertThat(diagnosis.utilization()).isZero();
        assertThat(diagnosis.prefetchSpeedup()).isBetween(1.0, 2.0);
        assertThat(diagnosis.depth()).isEqualTo(2);
        assertThatThrownBy(() -> new FeedStretch("train", 2, 3, 64, 1, StageTimes.NONE, 1, 4, 1, 2))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** @param feeder its stages and their milliseconds for each batch */
    private static FeedStretch stretch(int ranks, int stepMillis, Map<String, Integer> feeder, int compute, int wait) {
        Map<String, long[]> all = new LinkedHashMap<>();
        feeder.forEach((stage, millis) -> all.put(stage, repeated(ranks * BATCHES, millis)));
        all.put("trainer", repeated(ranks * BATCHES, compute));
        all.put("wait_batch", repeated(ranks * BATCHES, wait));
        double seconds = BATCHES * stepMillis / 1e3;
        StageTimes times = times((long) (ranks * seconds * 1e9), all);
        return new FeedStretch(
                "train", ranks, seconds, 64L * ranks * BATCHES, (long) ranks * BATCHES, times, 1 << 20, 4, 1, 2);
    }

    private static long[] repeated(int count, int millis) {
        long[] nanos = new long[count];
        Arrays.fill(nanos, millis * MILLI);
        return nanos;
    }

    private static StageTimes times(long attachedNanos, Map<String, long[]> stages) {
        StageTable table = new StageTable();
        MemorySegment memory = MemorySegment.ofArray(new long[StageTable.BYTES / Long.BYTES]);
        table.moveTo(memory);
        stages.forEach((name, durations) -> {
            StageTimer timer = table.stage(name);
            for (long nanos : durations) {
                timer.record(nanos);
            }
        });
        ByteBuffer bytes = ByteBuffer.wrap(memory.toArray(ValueLayout.JAVA_BYTE));
        return StageTimes.read(bytes.order(ByteOrder.LITTLE_ENDIAN), attachedNanos);
    }
}
