package io.rankfeed.schema.order;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Manifest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** An order as the bytes of its file: equal orders are equal bytes, and what breaks a rule is not read. */
public final class OrderJson {
    private static final String FORMAT = "rankfeed.order";
    private static final int FORMAT_VERSION = 1;

    private OrderJson() {}

    public static byte[] toBytes(Order order) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("format", FORMAT)
                .put("formatVersion", FORMAT_VERSION)
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
                write(train, entry);
            } else if (feed instanceof SequentialFeed sequential) {
                entry.put("kind", "sequential").put("rows", sequential.rows()).put("steps", sequential.steps());
            }
        }
        return CanonicalJson.indented(object);
    }

    private static void write(TrainFeed feed, ObjectNode entry) {
        entry.put("kind", "train")
                .put("seed", feed.seed())
                .put("epochs", feed.epochs())
                .put("stepsPerEpoch", feed.stepsPerEpoch())
                .put("mode", feed.mode().word())
                .put("order", feed.order().word())
                .put("window", feed.window());
        ArrayNode strata = entry.putArray("strata");
        feed.strata().forEach(stratum -> strata.addObject()
                .put("name", stratum.name())
                .put("available", stratum.available())
                .put("rows", stratum.rows()));
        ArrayNode segments = entry.putArray("segments");
        feed.segments().forEach(segment -> {
            ObjectNode node = segments.addObject()
                    .put("step", segment.step())
                    .put("steps", segment.steps())
                    .put("number", segment.number())
                    .put("m", segment.m())
                    .put("c", segment.c());
            segment.quotas().forEach(node.putArray("quotas")::add);
            segment.base().forEach(node.putArray("base")::add);
            if (segment.stage() != segment.number()) {
                node.put("stage", segment.stage());
            }
        });
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
        boolean listed = manifest.file(Order.FILE_NAME)
                .filter(entry -> entry.sha256().equals(Sha256.hex(bytes)))
                .isPresent();
        if (!listed) {
            throw new CorruptDataException(
                    file, "is not the file that its manifest lists; remove the folder and run the job again");
        }
        return parse(bytes, file);
    }

    /** @param file what to call these bytes in messages */
    public static Order parse(byte[] bytes, String file) {
        JsonObject object = JsonObject.root(StrictJson.parse(bytes, file), file);
        if (!object.text("format").equals(FORMAT)) {
            throw object.damage("format", "must be '" + FORMAT + "'");
        }
        object.integer("formatVersion", FORMAT_VERSION, FORMAT_VERSION);
        object.only("format", "formatVersion", "dataset", "plan", "storage", "feeds");
        try {
            return new Order(
                    object.text("dataset"),
                    object.text("plan"),
                    object.has("storage") ? Optional.of(storage(object.object("storage"))) : Optional.empty(),
                    object.objects("feeds").stream().map(OrderJson::feed).toList());
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static Order.Storage storage(JsonObject object) {
        object.only("batchRows", "shardRows");
        return new Order.Storage(
                object.intBetween("batchRows", 1, Integer.MAX_VALUE), object.integer("shardRows", 1, Long.MAX_VALUE));
    }

    private static Feed feed(JsonObject object) {
        String kind = object.text("kind");
        return switch (kind) {
            case "train" -> train(object);
            case "sequential" -> {
                object.only("name", "kind", "lanes", "batch", "rows", "steps");
                yield new SequentialFeed(
                        object.text("name"),
                        object.intBetween("lanes", 1, OrderLimits.MAX_LANES),
                        object.intBetween("batch", 1, OrderLimits.MAX_BATCH),
                        count(object, "rows"),
                        count(object, "steps"));
            }
            default -> throw object.damage("kind", "'" + kind + "' must be train or sequential");
        };
    }

    private static Feed train(JsonObject object) {
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
        return new TrainFeed(
                object.text("name"),
                count(object, "seed"),
                object.intBetween("lanes", 1, OrderLimits.MAX_LANES),
                object.intBetween("batch", 1, OrderLimits.MAX_BATCH),
                object.intBetween("epochs", 1, Integer.MAX_VALUE),
                object.intBetween("stepsPerEpoch", 1, Integer.MAX_VALUE),
                word(object, "mode", EpochMode.values(), EpochMode::word),
                word(object, "order", RowOrder.values(), RowOrder::word),
                object.intBetween("window", 1, Integer.MAX_VALUE),
                object.objects("strata").stream().map(OrderJson::stratum).toList(),
                object.objects("segments").stream().map(OrderJson::segment).toList());
    }

    private static Stratum stratum(JsonObject object) {
        object.only("name", "available", "rows");
        return new Stratum(object.text("name"), count(object, "available"), count(object, "rows"));
    }

    private static Segment segment(JsonObject object) {
        object.only("step", "steps", "number", "quotas", "base", "m", "c", "stage");
        long number = count(object, "number");
        return new Segment(
                count(object, "step"),
                count(object, "steps"),
                number,
                counts(object, "quotas"),
                counts(object, "base"),
                count(object, "m"),
                count(object, "c"),
                object.has("stage") ? count(object, "stage") : number);
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
