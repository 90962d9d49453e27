package io.rankfeed.feeder.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.timing.StageTimer;
import io.rankfeed.feeder.timing.StageTimes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A feeder's state in Prometheus' text format 0.0.4. The names are in docs/how-to/metrics.md. */
final class PrometheusText {
    static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final PrometheusTextFormatWriter WRITER = PrometheusTextFormatWriter.create();
    private static final double NANOS = 1e9;

    /** A trainer can write any count into its table; the sum of a histogram's counts must be a number. */
    private static final long MAX_COUNT = 1L << 56;

    private final NodeState state;
    private final MetricSnapshots.Builder all = MetricSnapshots.builder();

    private PrometheusText(NodeState state) {
        this.state = state;
    }

    static byte[] of(NodeState state) {
        PrometheusText text = new PrometheusText(state);
        text.node();
        text.ranks();
        text.stages();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            WRITER.write(out, text.all.build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private void node() {
        all.metricSnapshot(InfoSnapshot.builder()
                .name("rankfeed")
                .help("What is fed.")
                .dataPoint(InfoDataPointSnapshot.builder()
                        .labels(Labels.of("version", state.version(), "plan", state.plan(), "run", state.run()))
                        .build())
                .build());
        gauge("ready", "1 if trainers can attach, else 0.", state.isReady() ? 1 : 0);
        gauge("cache_bytes", "Bytes of the version's files that are mapped.", (double) state.cacheBytes());
        gauge("sync_bytes", "Bytes to read, to copy and verify the version before the feeder is ready.", (double)
                state.sync().plannedBytes());
        gauge("sync_done_bytes", "Bytes of these that were read.", (double)
                state.sync().doneBytes());
        all.metricSnapshot(CounterSnapshot.builder()
                .name("rankfeed_restarts")
                .help("How often the feeder of this run was started again.")
                .dataPoint(counted(Labels.EMPTY, (double) state.restarts()))
                .build());
        byReason("rejected_rows", "Rows that were fed as zeros or empty.", state.rejections());
        byReason("decoder_messages", "Lines that image decoders printed.", state.decoderMessages());
    }

    private void ranks() {
        ofRanks("rows", "Rows that trainers released.", RankState::rows);
        ofRanks("batches", "Batches that trainers released.", RankState::batches);
        ofRanks("connections", "Trainers that attached.", RankState::connections);
        ofRanks("attached_seconds", "Time with a trainer.", rank -> rank.times().attachedNanos() / NANOS);
        ofRanks(
                "data_wait_seconds",
                "Time in which the trainer waited for a batch.",
                rank -> rank.times().nanos(Stage.WAIT_BATCH.id()) / NANOS);
        nowOfRanks(
                "attached",
                "1 while a trainer is attached, else 0.",
                rank -> rank.ring().isPresent() ? 1 : 0);
        nowOfRanks("ring_slots", "Slots of the ring.", ofRing(RingLayout::slots));
        nowOfRanks("ring_filled_slots", "Slots that the trainer has or can take.", RankState::filledSlots);
        nowOfRanks("ring_bytes", "Bytes of the ring file.", ofRing(RingLayout::lengthBytes));
    }

    private static ToDoubleFunction<RankState> ofRing(ToLongFunction<RingLayout> number) {
        return rank ->
                rank.ring().map(ring -> (double) number.applyAsLong(ring)).orElse(0.0);
    }

    private void stages() {
        Map<String, StageTimes> feeds = RankState.timesByFeed(state.ranks());
        HistogramSnapshot.Builder histogram = HistogramSnapshot.builder()
                .name("rankfeed_stage_duration_seconds")
                .help("How long the stages of a feed took, over the ranks of this node.");
        feeds.forEach((feed, times) -> times.stages().forEach((stage, sum) -> {
            ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
            int last = StageTimer.BUCKETS - 1;
            for (int bucket = 0; bucket < last; bucket++) {
                buckets.bucket(
                        StageTimer.upperNanos(bucket) / NANOS,
                        Math.min(sum.buckets().get(bucket), MAX_COUNT));
            }
            buckets.bucket(Double.POSITIVE_INFINITY, Math.min(sum.buckets().get(last), MAX_COUNT));
            histogram.dataPoint(HistogramDataPointSnapshot.builder()
                    .labels(Labels.of("feed", feed, "stage", stage))
                    .classicHistogramBuckets(buckets.build())
                    .sum(sum.nanos() / NANOS)
                    .build());
        }));
        all.metricSnapshot(histogram.build());
    }

    private void gauge(String name, String help, double value) {
        all.metricSnapshot(GaugeSnapshot.builder()
                .name("rankfeed_" + name)
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                .build());
    }

    private void byReason(String name, String help, Map<String, Long> counts) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder().name("rankfeed_" + name).help(help);
        counts.forEach((reason, count) -> counter.dataPoint(counted(Labels.of("reason", reason), count.doubleValue())));
        all.metricSnapshot(counter.build());
    }

    private void ofRanks(String name, String help, ToDoubleFunction<RankState> value) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder().name("rankfeed_" + name).help(help);
        state.ranks().forEach(rank -> counter.dataPoint(counted(labels(rank), value.applyAsDouble(rank))));
        all.metricSnapshot(counter.build());
    }

    private void nowOfRanks(String name, String help, ToDoubleFunction<RankState> value) {
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name("rankfeed_" + name).help(help);
        state.ranks()
                .forEach(rank -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(labels(rank))
                        .value(value.applyAsDouble(rank))
                        .build()));
        all.metricSnapshot(gauge.build());
    }

    private static CounterDataPointSnapshot counted(Labels labels, double value) {
        return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    private static Labels labels(RankState rank) {
        return Labels.of(
                "feed", rank.key().feed(), "rank", Integer.toString(rank.key().rank()));
    }
}
