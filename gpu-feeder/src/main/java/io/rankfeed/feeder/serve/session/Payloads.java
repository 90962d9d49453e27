package io.rankfeed.feeder.serve.session;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.serve.admission.Attachment;
import io.rankfeed.feeder.serve.admission.Catalog;
import io.rankfeed.feeder.serve.admission.FeedFacts;
import io.rankfeed.feeder.serve.admission.FeedStage;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.serve.admission.VersionNamed;
import io.rankfeed.feeder.serve.protocol.ErrorCode;
import io.rankfeed.feeder.serve.protocol.Refusal;
import io.rankfeed.feeder.serve.protocol.Wire;
import io.rankfeed.feeder.transform.Normalization;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Locale;

/** The JSON that the feeder sends (docs/format/ring.md, section 3). */
final class Payloads {
    /** Rows by stratum are left out of a WELCOME where they may take more, as a payload is limited. */
    private static final long MAX_QUOTAS_BYTES = 1 << 18;

    private static final long JSON_CHAR_BYTES = 6;
    private static final long JSON_LONG_BYTES = 20;

    private Payloads() {}

    static byte[] error(ErrorCode code, String message) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("code", code.id());
        json.put("message", message);
        return CanonicalJson.compact(json);
    }

    /** Writes fractions as strings, as everywhere in canonical JSON. */
    private static void numbers(ArrayNode array, List<Double> values) {
        values.forEach(value -> array.add(Double.toString(value)));
    }

    private static ObjectNode json(Normalization wanted) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        numbers(json.putArray("mean"), wanted.mean().orElseThrow());
        numbers(json.putArray("std"), wanted.std().orElseThrow());
        json.put("dtype", wanted.dtype().name().toLowerCase(Locale.ROOT));
        json.put("channelsLast", wanted.channelsLast());
        return json;
    }

    private static void steps(FeedFacts facts, ObjectNode json) {
        json.put("steps", facts.totalSteps());
        json.put("epochs", facts.epochs());
        if (facts.feed() instanceof TrainFeed train && !train.epochStarts().isEmpty()) {
            train.epochStarts().forEach(json.putArray("epochStarts")::add);
        } else {
            json.put("stepsPerEpoch", facts.feed().stepsPerPass());
        }
    }

    private static void stages(FeedFacts facts, ObjectNode json) {
        List<String> strata = facts.strata();
        long nameBytes = strata.stream()
                .mapToLong(name -> JSON_CHAR_BYTES * name.length())
                .sum();
        long numbers = (long) strata.size() * facts.stages().size();
        boolean hasRows = !strata.isEmpty() && nameBytes + JSON_LONG_BYTES * numbers <= MAX_QUOTAS_BYTES;
        if (hasRows) {
            strata.forEach(json.putArray("strata")::add);
        }
        ArrayNode stages = json.putArray("stages");
        for (FeedStage stage : facts.stages()) {
            ObjectNode entry = stages.addObject()
                    .put("step", stage.step())
                    .put("stage", stage.stage())
                    .put("batch", stage.batch());
            if (hasRows) {
                stage.rows().forEach(entry.putArray("rows")::add);
            }
        }
    }

    /** @throws Refusal if epochs and stages need more than a payload may have */
    static byte[] welcome(Attachment attachment, Catalog catalog, ServeSettings settings) {
        FeedFacts facts = attachment.facts();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("segment", attachment.segment().file().toString());
        json.put("bytes", attachment.segment().layout().lengthBytes());
        json.put("generation", attachment.generation());
        json.put("feed", facts.name());
        json.put("kind", facts.feed() instanceof TrainFeed ? "train" : "sequential");
        json.put("plan", catalog.plan());
        json.put("version", catalog.version());
        json.put("latest", settings.named() == VersionNamed.LATEST);
        json.put("feedFile", settings.digest(facts.name()));
        json.put("rank", attachment.hello().rank());
        json.put("world", attachment.hello().world());
        json.put("ranksHere", settings.ranksOf(attachment.hello().world()));
        steps(facts, json);
        json.put("batch", facts.feed().batch());
        stages(facts, json);
        json.put("rows", attachment.source().maxRows());
        json.put("poolRows", facts.poolRows());
        json.put("step", attachment.hello().step());
        json.put("graceSeconds", settings.graceSeconds());
        json.put("transforms", attachment.source().transforms());
        ObjectNode normalize = json.putObject("normalize");
        attachment.source().normalizations().forEach((tensor, wanted) -> normalize.set(tensor, json(wanted)));
        byte[] bytes = CanonicalJson.compact(json);
        if (bytes.length > Wire.MAX_PAYLOAD_BYTES) {
            throw new Refusal(
                    ErrorCode.CONFIG,
                    "feed '" + facts.name() + "': " + Plural.counted(facts.epochs(), "epoch") + " and "
                            + Plural.counted(facts.stages().size(), "stage") + " take " + bytes.length
                            + " bytes of a WELCOME, which has at most " + Wire.MAX_PAYLOAD_BYTES
                            + "; plan fewer stages, or fewer epochs where their steps differ");
        }
        return bytes;
    }
}
