package io.rankfeed.feeder.metrics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.serve.admission.RankFeed;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.Bottleneck;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The last seconds of a feeder: rates and waits between two of its states, as JSON for the status page. */
final class StatusWindow {
    private static final long WINDOW_NANOS = 10_000_000_000L;
    private static final double NANOS = 1e9;

    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    private record Sample(long nanos, Map<RankFeed, RankState> ranks) {}

    /**
     * Adds the state of now, and describes it: rates since the state of 10 s ago, or since the oldest.
     *
     * @param nowNanos monotonic
     */
    ObjectNode add(long nowNanos, NodeState state) {
        Map<RankFeed, RankState> ranks = new HashMap<>();
        state.ranks().forEach(rank -> ranks.put(rank.key(), rank));
        samples.add(new Sample(nowNanos, ranks));
        while (nowNanos - samples.getFirst().nanos() > WINDOW_NANOS) {
            samples.removeFirst();
        }
        Sample oldest = samples.getFirst();
        double seconds = (nowNanos - oldest.nanos()) / NANOS;
        // The first state has no earlier one: it is described by all that happened before it.
        List<Change> changes = new ArrayList<>();
        for (RankState now : state.ranks()) {
            changes.add(
                    new Change(now, samples.size() == 1 ? null : oldest.ranks().get(now.key()), seconds));
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("version", state.version());
        json.put("run", state.run());
        json.put("ready", state.isReady());
        json.put("restarts", state.restarts());
        json.put("plannedBytes", state.sync().plannedBytes());
        json.put("doneBytes", state.sync().doneBytes());
        json.set("feeds", feeds(changes));
        ArrayNode list = json.putArray("ranks");
        changes.forEach(change -> list.add(change.toJson()));
        ObjectNode rejections = json.putObject("rejections");
        new TreeMap<>(state.rejections()).forEach(rejections::put);
        return json;
    }

    private static ArrayNode feeds(List<Change> changes) {
        Map<String, List<Change>> feeds = new TreeMap<>();
        changes.forEach(change -> feeds.computeIfAbsent(change.now().key().feed(), name -> new ArrayList<>())
                .add(change));
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        feeds.forEach((name, ofFeed) -> {
            StageTimes times = ofFeed.stream().map(Change::times).reduce(StageTimes.NONE, StageTimes::plus);
            Bottleneck found = Bottleneck.between(StageTimes.NONE, times);
            ObjectNode feed = json.addObject();
            feed.put("feed", name);
            feed.put(
                    "rowsPerSecond",
                    ofFeed.stream().mapToDouble(Change::rowsPerSecond).sum());
            feed.put("dataWait", found.dataWait());
            feed.put("slotWait", found.slotWait());
            feed.put("bottleneck", found.stage());
            feed.put("advice", found.part().advice());
            ObjectNode stages = feed.putObject("stages");
            times.stages().forEach((stage, sum) -> stages.put(stage, sum.nanos() / NANOS));
        });
        return json;
    }

    /** What one rank did since an earlier state; all that it did where there is none. */
    private record Change(RankState now, @Nullable RankState before, double seconds) {
        StageTimes times() {
            return before == null ? now.times() : now.times().since(before.times());
        }

        double rowsPerSecond() {
            long rows = now.rows() - (before == null ? 0 : before.rows());
            return seconds > 0 ? rows / seconds : 0;
        }

        ObjectNode toJson() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("feed", now.key().feed());
            json.put("rank", now.key().rank());
            json.put("attached", now.ring().isPresent());
            json.put("rows", now.rows());
            json.put("batches", now.batches());
            json.put("rowsPerSecond", rowsPerSecond());
            json.put("dataWait", Bottleneck.between(StageTimes.NONE, times()).dataWait());
            json.put("slots", now.ring().map(RingLayout::slots).orElse(0));
            json.put("filledSlots", now.filledSlots());
            json.put("connections", now.connections());
            return json;
        }
    }
}
