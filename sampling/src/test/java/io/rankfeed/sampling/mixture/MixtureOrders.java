package io.rankfeed.sampling.mixture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.sampling.order.GoldenPlans;
import io.rankfeed.sampling.order.Multiplier;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Requests of mixtures: those of the golden file, and short ones. */
final class MixtureOrders {
    static final String VERSION = "0".repeat(16);

    private MixtureOrders() {}

    /** The request of a golden mixture. */
    static MixtureRequest request(JsonNode json) {
        List<MixtureMember> members = new ArrayList<>();
        for (JsonNode plan : json.get("plans")) {
            ObjectNode golden = JsonNodeFactory.instance.objectNode();
            golden.set("order", plan);
            golden.set("request", plan);
            members.add(new MixtureMember(plan.get("members").get(0).get("name").asText(), GoldenPlans.order(golden)));
        }
        List<MixtureRequest.Stage> stages = new ArrayList<>();
        for (JsonNode stage : json.get("stages")) {
            Map<String, BigDecimal> weights = new HashMap<>();
            for (int m = 0; m < members.size(); m++) {
                weights.put(
                        members.get(m).name(),
                        new BigDecimal(stage.get("weights").get(m).asText()));
            }
            stages.add(new MixtureRequest.Stage(GoldenPlans.end(stage), weights));
        }
        return new MixtureRequest(
                "train",
                json.get("seed").asLong(),
                json.get("batch").asInt(),
                json.get("epochs").asInt(),
                new MixtureRequest.Epoch.Rows(json.get("rows").asLong()),
                MixtureRequest.OnEnd.valueOf(json.get("on-end").asText().toUpperCase(Locale.ROOT)),
                members,
                stages);
    }

    /** A plan over a version with one stratum: so many lanes, a batch of as many rows. */
    static MixtureMember member(String name, int lanes, int epochs, long rowsPerEpoch) {
        long steps = rowsPerEpoch / lanes;
        List<Segment> segments = new ArrayList<>();
        long m = Multiplier.choose(epochs * steps, lanes);
        segments.add(new Segment(0, epochs * steps, 0, List.of(epochs * steps), List.of(0L), m, 0));
        return new MixtureMember(name, feed(name, lanes, epochs, steps, List.of(100_000L), segments));
    }

    /** A plan over a version whose strata have these quotas, stage after stage. */
    static MixtureMember staged(String name, int lanes, List<List<Long>> quotas) {
        List<Segment> segments = new ArrayList<>();
        List<Long> base = new ArrayList<>(quotas.get(0).stream().map(q -> 0L).toList());
        long step = 0;
        for (List<Long> ofStage : quotas) {
            long steps = ofStage.stream().mapToLong(q -> q).sum();
            segments.add(new Segment(step, steps, segments.size(), ofStage, base, Multiplier.choose(steps, lanes), 0));
            for (int s = 0; s < base.size(); s++) {
                base.set(s, base.get(s) + ofStage.get(s));
            }
            step += steps;
        }
        List<Long> rows = base.stream().map(units -> 1 + units * lanes).toList();
        return new MixtureMember(name, feed(name, lanes, 1, step, rows, segments));
    }

    private static TrainFeed feed(
            String name, int lanes, int epochs, long steps, List<Long> rows, List<Segment> segments) {
        List<Stratum> strata = new ArrayList<>();
        for (long pool : rows) {
            strata.add(new Stratum("s" + strata.size(), pool));
        }
        return new TrainFeed(
                name,
                1,
                lanes,
                lanes,
                epochs,
                (int) steps,
                List.of(),
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                1,
                List.of(new Member(name, "data", VERSION, "train", lanes, RowCycles.SHUFFLED, strata)),
                segments);
    }

    /** A stage with the weights of two members. */
    static MixtureRequest.Stage stage(StageEnd end, String a, String b) {
        return new MixtureRequest.Stage(end, Map.of("a", new BigDecimal(a), "b", new BigDecimal(b)));
    }

    /** Two epochs of 80 rows in batches of 8, of members with weights 3 and 1. */
    static MixtureRequest request(List<MixtureMember> members, MixtureRequest.OnEnd onEnd) {
        List<MixtureRequest.Stage> stages = List.of(stage(new StageEnd.Run(), "3", "1"));
        return new MixtureRequest("train", 1, 8, 2, new MixtureRequest.Epoch.Rows(80), onEnd, members, stages);
    }

    static MixtureRequest request(
            int batch, int epochs, List<MixtureMember> members, List<MixtureRequest.Stage> stages) {
        return new MixtureRequest(
                "train",
                1,
                batch,
                epochs,
                new MixtureRequest.Epoch.Rows(80),
                MixtureRequest.OnEnd.REPEAT,
                members,
                stages);
    }

    /** The request with another epoch. */
    static MixtureRequest with(MixtureRequest request, MixtureRequest.Epoch epoch) {
        return new MixtureRequest(
                request.feed(),
                request.seed(),
                request.batch(),
                request.epochs(),
                epoch,
                request.onEnd(),
                request.members(),
                request.stages());
    }
}
