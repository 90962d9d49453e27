package io.rankfeed.schema.order;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** A train feed in an order's file: its own pools in format 1, members in format 2. */
final class TrainFeedJson {
    private TrainFeedJson() {}

    static void write(TrainFeed feed, ObjectNode entry, boolean members) {
        entry.put("kind", "train")
                .put("seed", feed.seed())
                .put("epochs", feed.epochs())
                .put("mode", feed.mode().word())
                .put("order", feed.order().word())
                .put("window", feed.window());
        if (feed.epochStarts().isEmpty()) {
            entry.put("stepsPerEpoch", feed.stepsPerEpoch());
        } else {
            feed.epochStarts().forEach(entry.putArray("epochStarts")::add);
        }
        if (members) {
            ArrayNode array = entry.putArray("members");
            feed.members().forEach(member -> write(member, array.addObject()));
        } else {
            write(feed.strata(), false, entry.putArray("strata"));
        }
        ArrayNode segments = entry.putArray("segments");
        feed.segments().forEach(segment -> write(segment, segments.addObject()));
    }

    private static void write(Member member, ObjectNode node) {
        node.put("name", member.name())
                .put("lanes", member.lanes())
                .put("cycles", member.cycles().word());
        member.source().ifPresent(source -> node.put("dataset", source.dataset())
                .put("version", source.version())
                .put("feed", source.feed()));
        write(member.strata(), member.source().isPresent(), node.putArray("strata"));
    }

    private static void write(List<Stratum> strata, boolean stored, ArrayNode array) {
        for (Stratum stratum : strata) {
            ObjectNode node = array.addObject().put("name", stratum.name()).put("rows", stratum.rows());
            if (!stored) {
                node.put("available", stratum.available());
            }
        }
    }

    private static void write(Segment segment, ObjectNode node) {
        node.put("step", segment.step())
                .put("steps", segment.steps())
                .put("number", segment.number())
                .put("m", segment.m())
                .put("c", segment.c());
        segment.quotas().forEach(node.putArray("quotas")::add);
        segment.base().forEach(node.putArray("base")::add);
        if (segment.stage() != segment.number()) {
            node.put("stage", segment.stage());
        }
        segment.batch().ifPresent(batch -> node.put("batch", batch));
    }

    /** A feed of format 1. */
    static TrainFeed ofFormat1(JsonObject object) {
        object.only(
                "name",
                "kind",
                "seed",
                "lanes",
                "batch",
                "epochs",
                "stepsPerEpoch",
                "mode",
                "order",
                "window",
                "strata",
                "segments");
        TrainFeed feed = new TrainFeed(
                object.text("name"),
                count(object, "seed"),
                object.intBetween("lanes", 1, OrderLimits.MAX_LANES),
                object.intBetween("batch", 1, OrderLimits.MAX_BATCH),
                object.intBetween("epochs", 1, Integer.MAX_VALUE),
                object.intBetween("stepsPerEpoch", 1, Integer.MAX_VALUE),
                word(object, "mode", EpochMode.values(), EpochMode::word),
                word(object, "order", RowOrder.values(), RowOrder::word),
                object.intBetween("window", 1, Integer.MAX_VALUE),
                strata(object, false),
                object.objects("segments").stream()
                        .map(segment ->
                                segment(segment.only("step", "steps", "number", "quotas", "base", "m", "c", "stage")))
                        .toList());
        Rules.require(feed.isOfFormat1(), "feed '" + feed.name() + "': a pool has more rows than the run draws");
        return feed;
    }

    /** A feed of format 2. */
    static TrainFeed ofFormat2(JsonObject object) {
        boolean listed = object.has("epochStarts");
        if (listed && object.has("stepsPerEpoch")) {
            throw object.damage("stepsPerEpoch", "cannot be combined with epochStarts");
        }
        object.only(
                "name",
                "kind",
                "seed",
                "lanes",
                "batch",
                "epochs",
                listed ? "epochStarts" : "stepsPerEpoch",
                "mode",
                "order",
                "window",
                "members",
                "segments");
        List<Segment> segments = object.objects("segments").stream()
                .map(segment ->
                        segment(segment.only("step", "steps", "number", "quotas", "base", "m", "c", "stage", "batch")))
                .toList();
        List<Long> starts = listed ? counts(object, "epochStarts") : List.of();
        if (listed && starts.isEmpty()) {
            throw object.damage("epochStarts", "must list the first step of each epoch");
        }
        return new TrainFeed(
                object.text("name"),
                count(object, "seed"),
                object.intBetween("lanes", 1, OrderLimits.MAX_LANES),
                object.intBetween("batch", 1, OrderLimits.MAX_BATCH),
                object.intBetween("epochs", 1, Integer.MAX_VALUE),
                listed
                        ? TrainFeed.longestEpoch(starts, segments)
                        : object.intBetween("stepsPerEpoch", 1, Integer.MAX_VALUE),
                starts,
                word(object, "mode", EpochMode.values(), EpochMode::word),
                word(object, "order", RowOrder.values(), RowOrder::word),
                object.intBetween("window", 1, Integer.MAX_VALUE),
                object.objects("members").stream().map(TrainFeedJson::member).toList(),
                segments);
    }

    private static Member member(JsonObject object) {
        boolean stored = object.has("version");
        if (stored) {
            object.only("name", "dataset", "version", "feed", "lanes", "cycles", "strata");
        } else {
            object.only("name", "lanes", "cycles", "strata");
        }
        return new Member(
                object.text("name"),
                stored
                        ? Optional.of(
                                new Member.Source(object.text("dataset"), object.text("version"), object.text("feed")))
                        : Optional.empty(),
                object.intBetween("lanes", 1, OrderLimits.MAX_LANES),
                word(object, "cycles", RowCycles.values(), RowCycles::word),
                strata(object, stored));
    }

    private static List<Stratum> strata(JsonObject object, boolean stored) {
        List<Stratum> strata = new ArrayList<>();
        for (JsonObject stratum : object.objects("strata")) {
            long rows = count(stratum, "rows");
            if (stored) {
                stratum.only("name", "rows");
            } else {
                stratum.only("name", "available", "rows");
            }
            strata.add(new Stratum(stratum.text("name"), stored ? rows : count(stratum, "available"), rows));
        }
        return strata;
    }

    private static Segment segment(JsonObject object) {
        long number = count(object, "number");
        return new Segment(
                count(object, "step"),
                count(object, "steps"),
                number,
                counts(object, "quotas"),
                counts(object, "base"),
                count(object, "m"),
                count(object, "c"),
                object.has("stage") ? count(object, "stage") : number,
                object.has("batch")
                        ? OptionalInt.of(object.intBetween("batch", 1, OrderLimits.MAX_BATCH))
                        : OptionalInt.empty());
    }

    private static long count(JsonObject object, String name) {
        return object.integer(name, 0, Long.MAX_VALUE);
    }

    private static List<Long> counts(JsonObject object, String name) {
        return Arrays.stream(object.integers(name, 0, Long.MAX_VALUE)).boxed().toList();
    }

    private static <T> T word(JsonObject object, String name, T[] known, Function<T, String> word) {
        String text = object.text(name);
        return Arrays.stream(known)
                .filter(value -> word.apply(value).equals(text))
                .findFirst()
                .orElseThrow(() -> object.damage(
                        name,
                        "'" + text + "' must be one of "
                                + Arrays.stream(known).map(word).toList()));
    }
}
