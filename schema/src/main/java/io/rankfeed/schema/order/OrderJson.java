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
    /** The format of plans and of their versions (docs/format/plan.md, section 10). */
    public static final int OF_PLAN = 1;

    /** The format of orders over stored pools, mixtures among them (docs/format/order-2.md, section 8). */
    public static final int STORED = 2;

    private static final String FORMAT = "rankfeed.order";

    private OrderJson() {}

    /** The bytes in the format of plans and their versions. */
    public static byte[] toBytes(Order order) {
        return toBytes(order, OF_PLAN);
    }

    /** @throws IllegalArgumentException if the format cannot express the order */
    public static byte[] toBytes(Order order, int formatVersion) {
        return CanonicalJson.indented(toJson(order, formatVersion));
    }

    /** @throws IllegalArgumentException if the format cannot express the order */
    public static ObjectNode toJson(Order order, int formatVersion) {
        requireExpressible(order, formatVersion);
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("format", FORMAT).put("formatVersion", formatVersion).put("plan", order.plan());
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
                TrainFeedJson.write(train, entry);
            } else if (feed instanceof SequentialFeed sequential) {
                entry.put("kind", "sequential").put("rows", sequential.rows()).put("steps", sequential.steps());
            }
        }
        return object;
    }

    private static void requireExpressible(Order order, int formatVersion) {
        boolean stored = formatVersion == STORED;
        Rules.require(
                stored || formatVersion == OF_PLAN, "format version " + formatVersion + " of an order is unknown");
        Rules.require(
                stored ? order.storage().isEmpty() : order.dataset().isPresent(),
                "format version " + formatVersion + " of an order "
                        + (stored ? "has no storage" : "requires a dataset"));
        for (Feed feed : order.feeds()) {
            Rules.require(
                    !(feed instanceof TrainFeed train) || train.isStored() == stored,
                    "feed '" + feed.name() + "' draws from pools of " + (stored ? "its plan" : "versions")
                            + "; format version " + formatVersion + " of an order cannot express that");
        }
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
     * @param others members of the file that are not the order's; of format 2 only
     * @throws CorruptDataException if it is not an order
     */
    public static Order of(JsonObject object, String... others) {
        if (!object.text("format").equals(FORMAT)) {
            throw object.damage("format", "must be '" + FORMAT + "'");
        }
        boolean stored = object.integer("formatVersion", OF_PLAN, STORED) == STORED;
        if (stored) {
            object.only(Stream.concat(
                            Stream.of("format", "formatVersion", "dataset", "plan", "feeds"), Arrays.stream(others))
                    .toArray(String[]::new));
        } else {
            object.only("format", "formatVersion", "dataset", "plan", "storage", "feeds");
        }
        try {
            return new Order(
                    stored ? object.optionalText("dataset") : Optional.of(object.text("dataset")),
                    object.text("plan"),
                    object.has("storage") ? Optional.of(storage(object.object("storage"))) : Optional.empty(),
                    object.objects("feeds").stream()
                            .map(feed -> feed(feed, stored))
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

    private static Feed feed(JsonObject object, boolean stored) {
        String kind = object.text("kind");
        return switch (kind) {
            case "train" -> stored ? TrainFeedJson.stored(object) : TrainFeedJson.ofPlan(object);
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
