package io.rankfeed.sampling.order;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/** The golden files of format 2: requests, orders and digests that a second planner wrote (docs/format/plan.md, section 9). */
public final class GoldenPlans {
    public static final String PLANS = "order-2-plans.json";
    public static final String MIXTURES = "order-2-mixtures.json";

    private GoldenPlans() {}

    /** The cases of a file. */
    public static List<JsonNode> cases(String name) {
        try (InputStream in = GoldenPlans.class.getResourceAsStream("/golden/" + name)) {
            List<JsonNode> cases = new ArrayList<>();
            new ObjectMapper().readTree(in).get("cases").forEach(cases::add);
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A number of an order, or of its request where both are the same. */
    static JsonNode of(JsonNode one, String name) {
        return one.get("order").has(name)
                ? one.get("order").get(name)
                : one.get("request").get(name);
    }

    /** The order of a case. */
    public static TrainFeed order(JsonNode one) {
        List<Long> starts =
                one.get("order").has("epochStarts") ? longs(one.get("order").get("epochStarts")) : List.of();
        List<Member> members = new ArrayList<>();
        of(one, "members").forEach(member -> members.add(member(member)));
        List<Segment> segments = segments(one.get("order"));
        RowOrder order = word(RowOrder.class, of(one, "order"));
        int lanes = of(one, "lanes").asInt();
        int batch = of(one, "batch").asInt();
        long seed = of(one, "seed").asLong();
        if (!starts.isEmpty()) {
            return new TrainFeed("train", seed, lanes, batch, starts, order, members, segments);
        }
        return new TrainFeed(
                "train",
                seed,
                lanes,
                batch,
                of(one, "epochs").asInt(),
                of(one, "stepsPerEpoch").asInt(),
                starts,
                word(EpochMode.class, of(one, "mode")),
                order,
                of(one, "window").asInt(),
                members,
                segments);
    }

    private static Member member(JsonNode json) {
        List<Stratum> strata = new ArrayList<>();
        json.get("strata")
                .forEach(stratum -> strata.add(new Stratum(
                        stratum.get("name").asText(), stratum.get("rows").asLong())));
        return new Member(
                json.get("name").asText(),
                "data",
                "0".repeat(16),
                "train",
                json.get("lanes").asInt(),
                word(RowCycles.class, json.get("cycles")),
                strata);
    }

    private static <T extends Enum<T>> T word(Class<T> type, JsonNode word) {
        return Enum.valueOf(type, word.asText().replace('-', '_').toUpperCase(Locale.ROOT));
    }

    public static List<Segment> segments(JsonNode order) {
        List<Segment> segments = new ArrayList<>();
        for (JsonNode one : order.get("segments")) {
            segments.add(new Segment(
                    one.get("step").asLong(),
                    one.get("steps").asLong(),
                    one.get("number").asLong(),
                    longs(one.get("quotas")),
                    longs(one.get("base")),
                    one.get("m").asLong(),
                    one.get("c").asLong(),
                    one.get("number").asLong(),
                    one.has("batch") ? OptionalInt.of(one.get("batch").asInt()) : OptionalInt.empty()));
        }
        return segments;
    }

    public static StageEnd end(JsonNode stage) {
        Map.Entry<String, JsonNode> end =
                stage.get("end").properties().iterator().next();
        BigDecimal number = new BigDecimal(end.getValue().asText());
        return switch (end.getKey()) {
            case "until" -> new StageEnd.Fraction(number);
            case "until-epoch" -> new StageEnd.Epoch(number);
            case "rows" -> new StageEnd.Rows(number.longValueExact());
            default -> new StageEnd.Run();
        };
    }

    public static List<Long> longs(JsonNode array) {
        List<Long> values = new ArrayList<>();
        array.forEach(value -> values.add(value.asLong()));
        return values;
    }
}
