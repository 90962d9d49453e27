package io.rankfeed.schema.order;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Manifest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** An order as the bytes of its file: equal orders are equal bytes, and what breaks a rule is not read. */
public final class OrderJson {
    /** The format of orders with one batch and pools of their own plan, which are drawn to their end (docs/format/plan.md, section 10). */
    private static final int FORMAT_1 = 1;

    /** The format of all other orders, also of mixtures (docs/format/plan.md, section 10.1). */
    private static final int FORMAT_2 = 2;

    private static final String FORMAT = "rankfeed.order";

    private OrderJson() {}

    /** The bytes in the first format that can express the order. */
    public static byte[] toBytes(Order order) {
        return CanonicalJson.indented(toJson(order));
    }

    /** The members of the file, in the first format that can express the order. */
    public static ObjectNode toJson(Order order) {
        boolean first = order.dataset().isPresent()
                && order.feeds().stream().allMatch(feed -> !(feed instanceof TrainFeed train) || train.isOfFormat1());
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("format", FORMAT)
                .put("formatVersion", first ? FORMAT_1 : FORMAT_2)
                .put("plan", order.plan());
        order.dataset().ifPresent(dataset -> object.put("dataset", dataset));
        order.storage().ifPresent(storage -> object.putObject("storage")
                .put("batchRows", storage.batchRows())
                .put("shardRows", storage.shardRows()));
        ArrayNode feeds = object.putArray("feeds");
        for (Feed feed : order.feeds()) {
            ObjectNode entry = feeds.addObject()
                    .put("name", feed.name())
                    .put("lanes", feed.lanes())
                    .put("batch", feed.batch());
            if (feed instanceof TrainFeed train) {
                TrainFeedJson.write(train, entry, !first);
            } else if (feed instanceof SequentialFeed sequential) {
                entry.put("kind", "sequential").put("rows", sequential.rows()).put("steps", sequential.steps());
            }
        }
        return object;
    }

    /** @throws CorruptDataException if the file does not exist or breaks a rule */
    public static Order read(Path file) {
        return parse(StrictJson.readCapped(file, JsonLimits.SERVED.maxBytes()), file.toString());
    }

    /**
     * The order of an artifact that is complete.
     *
     * @param file what to call these bytes in messages
     * @throws CorruptDataException if they are not those that the manifest lists, or break a rule
     */
    public static Order parse(byte[] bytes, Manifest manifest, String file) {
        manifest.requireListed(Order.FILE_NAME, bytes, file);
        return parse(bytes, file);
    }

    /** @param file what to call these bytes in messages */
    public static Order parse(byte[] bytes, String file) {
        return of(JsonObject.root(StrictJson.parse(bytes, file), file));
    }

    /**
     * Reads an order from the members of its file.
     *
     * @param others members of a file of format 2 that are not the order's
     * @throws CorruptDataException if it is not an order
     */
    public static Order of(JsonObject object, String... others) {
        if (!object.text("format").equals(FORMAT)) {
            throw object.damage("format", "must be '" + FORMAT + "'");
        }
        boolean second = object.integer("formatVersion", FORMAT_1, FORMAT_2) == FORMAT_2;
        Stream<String> known = Stream.of("format", "formatVersion", "dataset", "plan", "storage", "feeds");
        object.only((second ? Stream.concat(known, Arrays.stream(others)) : known).toArray(String[]::new));
        try {
            return new Order(
                    second ? object.optionalText("dataset") : Optional.of(object.text("dataset")),
                    object.text("plan"),
                    object.has("storage") ? Optional.of(storage(object.object("storage"))) : Optional.empty(),
                    object.objects("feeds").stream()
                            .map(feed -> feed(feed, second))
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(object.file(), String.valueOf(e.getMessage()), e);
        }
    }

    private static Order.Storage storage(JsonObject object) {
        object.only("batchRows", "shardRows");
        return new Order.Storage(
                object.intBetween("batchRows", 1, Integer.MAX_VALUE), object.integer("shardRows", 1, Long.MAX_VALUE));
    }

    private static Feed feed(JsonObject object, boolean second) {
        String kind = object.text("kind");
        return switch (kind) {
            case "train" -> second ? TrainFeedJson.ofFormat2(object) : TrainFeedJson.ofFormat1(object);
            case "sequential" -> {
                object.only("name", "kind", "lanes", "batch", "rows", "steps");
                yield new SequentialFeed(
                        object.text("name"),
                        object.intBetween("lanes", 1, OrderLimits.MAX_LANES),
                        object.intBetween("batch", 1, OrderLimits.MAX_BATCH),
                        object.integer("rows", 0, Long.MAX_VALUE),
                        object.integer("steps", 0, Long.MAX_VALUE));
            }
            default -> throw object.damage("kind", "'" + kind + "' must be train or sequential");
        };
    }
}
