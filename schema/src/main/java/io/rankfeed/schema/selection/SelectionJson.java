package io.rankfeed.schema.selection;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A selection as the bytes of its file: equal selections are equal bytes, and what breaks a rule is not read. */
public final class SelectionJson {
    private static final String FORMAT = "rankfeed.selection";
    private static final int FORMAT_VERSION = 1;

    private SelectionJson() {}

    public static byte[] toBytes(Selection selection) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("format", FORMAT).put("formatVersion", FORMAT_VERSION).put("dataset", selection.dataset());
        selection.storage().ifPresent(storage -> object.putObject("storage")
                .put("batchRows", storage.batchRows())
                .put("shardRows", storage.shardRows()));
        ArrayNode feeds = object.putArray("feeds");
        for (SelectedFeed feed : selection.feeds()) {
            ObjectNode entry = feeds.addObject().put("name", feed.name()).put("lanes", feed.lanes());
            if (feed instanceof SelectedTrain train) {
                write(train, entry.put("kind", "train"));
            } else {
                entry.put("kind", "sequential").put("rows", feed.rows());
            }
            feed.rowDigests().forEach(entry.putArray("rowDigests")::add);
        }
        return CanonicalJson.indented(object);
    }

    private static void write(SelectedTrain feed, ObjectNode entry) {
        feed.columns().forEach(entry.putArray("columns")::add);
        ListOrderJson.write(feed.list(), entry.putObject("list"));
        ArrayNode strata = entry.putArray("strata");
        for (SelectedStratum stratum : feed.strata()) {
            ObjectNode node = strata.addObject()
                    .put("name", stratum.name())
                    .put("available", stratum.available())
                    .put("rows", stratum.rows());
            stratum.values().forEach(node.putArray("values")::add);
        }
    }

    /**
     * The selection of an artifact that is complete.
     *
     * @param file what to call these bytes in messages
     * @throws CorruptDataException if they are not those that the manifest lists, or break a rule
     */
    public static Selection parse(byte[] bytes, Manifest manifest, String file) {
        manifest.requireListed(Selection.FILE_NAME, bytes, file);
        return parse(bytes, file);
    }

    /**
     * @param file what to call these bytes in messages
     * @throws CorruptDataException if they break a rule
     */
    public static Selection parse(byte[] bytes, String file) {
        JsonObject object = JsonObject.root(StrictJson.parse(bytes, file), file);
        if (!object.text("format").equals(FORMAT)) {
            throw object.damage("format", "must be '" + FORMAT + "'");
        }
        object.integer("formatVersion", FORMAT_VERSION, FORMAT_VERSION);
        object.only("format", "formatVersion", "dataset", "storage", "feeds");
        try {
            return new Selection(
                    object.text("dataset"),
                    object.has("storage") ? Optional.of(storage(object.object("storage"))) : Optional.empty(),
                    feeds(object));
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static Order.Storage storage(JsonObject object) {
        object.only("batchRows", "shardRows");
        return new Order.Storage(
                object.intBetween("batchRows", 1, Integer.MAX_VALUE), object.integer("shardRows", 1, Long.MAX_VALUE));
    }

    private static List<SelectedFeed> feeds(JsonObject object) {
        List<SelectedFeed> feeds = new ArrayList<>();
        for (JsonObject feed : object.objects("feeds")) {
            String kind = feed.text("kind");
            feeds.add(
                    switch (kind) {
                        case "train" -> train(feed);
                        case "sequential" -> sequential(feed);
                        default -> throw feed.damage("kind", "'" + kind + "' must be train or sequential");
                    });
        }
        return feeds;
    }

    private static SelectedTrain train(JsonObject object) {
        object.only("name", "kind", "lanes", "columns", "list", "strata", "rowDigests");
        return new SelectedTrain(
                object.text("name"),
                lanes(object),
                object.texts("columns"),
                ListOrderJson.read(object.object("list")),
                object.objects("strata").stream().map(SelectionJson::stratum).toList(),
                object.texts("rowDigests"));
    }

    private static SelectedSequential sequential(JsonObject object) {
        object.only("name", "kind", "lanes", "rows", "rowDigests");
        return new SelectedSequential(
                object.text("name"),
                lanes(object),
                object.integer("rows", 0, Long.MAX_VALUE),
                object.texts("rowDigests"));
    }

    private static int lanes(JsonObject object) {
        return object.intBetween("lanes", 1, OrderLimits.MAX_LANES);
    }

    private static SelectedStratum stratum(JsonObject object) {
        object.only("name", "values", "available", "rows");
        return new SelectedStratum(
                object.text("name"),
                object.texts("values"),
                object.integer("available", 0, Long.MAX_VALUE),
                object.integer("rows", 0, Long.MAX_VALUE));
    }
}
