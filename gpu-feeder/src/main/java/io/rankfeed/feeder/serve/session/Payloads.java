package io.rankfeed.feeder.serve.session;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.serve.admission.Attachment;
import io.rankfeed.feeder.serve.admission.Catalog;
import io.rankfeed.feeder.serve.admission.FeedFacts;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.serve.admission.VersionNamed;
import io.rankfeed.feeder.serve.protocol.ErrorCode;
import io.rankfeed.feeder.transform.Normalization;
import io.rankfeed.schema.json.CanonicalJson;
import java.util.List;
import java.util.Locale;

/** The JSON that the feeder sends (docs/format/ring.md, section 3). */
final class Payloads {
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

    static byte[] welcome(Attachment attachment, Catalog catalog, ServeSettings settings) {
        FeedFacts facts = attachment.facts();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("segment", attachment.segment().file().toString());
        json.put("bytes", attachment.segment().layout().lengthBytes());
        json.put("generation", attachment.generation());
        json.put("feed", facts.name());
        json.put("kind", facts.kind());
        json.put("plan", catalog.plan());
        json.put("version", catalog.version());
        json.put("latest", settings.named() == VersionNamed.LATEST);
        json.put("feedFile", settings.digest(facts.name()));
        json.put("rank", attachment.hello().rank());
        json.put("world", attachment.hello().world());
        json.put("ranksHere", settings.ranksOf(attachment.hello().world()));
        json.put("epochs", facts.epochs());
        json.put("stepsPerEpoch", facts.stepsPerEpoch());
        json.put("batch", facts.batch());
        json.put("rows", attachment.source().maxRows());
        json.put("poolRows", facts.poolRows());
        json.put("step", attachment.hello().step());
        json.put("graceSeconds", settings.graceSeconds());
        json.put("transforms", attachment.source().transforms());
        ObjectNode normalize = json.putObject("normalize");
        attachment.source().normalizations().forEach((tensor, wanted) -> normalize.set(tensor, json(wanted)));
        return CanonicalJson.compact(json);
    }
}
