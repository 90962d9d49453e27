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
            RankState before = samples.size() == 1 ? null : oldest.ranks().get(now.key());
            changes.add(new Change(now, before == null ? now : now.since(before), seconds));
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
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        List<RankState> since = changes.stream().map(Change::since).toList();
        RankState.timesByFeed(since).forEach((name, times) -> {
            Bottleneck found = Bottleneck.between(StageTimes.NONE, times);
            ObjectNode feed = json.addObject();
            feed.put("feed", name);
            feed.put(
                    "rowsPerSecond",
                    changes.stream()
                            .filter(change -> change.now().key().feed().equals(name))
                            .mapToDouble(Change::rowsPerSecond)
                            .sum());
            feed.put("dataWait", found.dataWait());
            feed.put("slotWait", found.slotWait());
            feed.put("bottleneck", found.stage());
            feed.put("advice", found.part().advice());
            ObjectNode stages = feed.putObject("stages");
            times.stages().forEach((stage, sum) -> stages.put(stage, sum.nanos() / NANOS));
        });
        return json;
    }

    /** What one rank did so far, and what of it since an earlier state; the same where there is none. */
    private record Change(RankState now, RankState since, double seconds) {
        double rowsPerSecond() {
            return seconds > 0 ? since.rows() / seconds : 0;
        }

        ObjectNode toJson() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("feed", now.key().feed());
            json.put("rank", now.key().rank());
            json.put("attached", now.ring().isPresent());
            json.put("rows", now.rows());
            json.put("batches", now.batches());
            json.put("rowsPerSecond", rowsPerSecond());
            json.put("dataWait", since.times().dataWait());
            json.put("slots", now.ring().map(RingLayout::slots).orElse(0));
            json.put("filledSlots", now.filledSlots());
            json.put("connections", now.connections());
            return json;
        }
    }
}
