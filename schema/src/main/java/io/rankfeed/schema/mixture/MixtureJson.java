package io.rankfeed.schema.mixture;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.SchemaJson;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import java.util.HashMap;
import java.util.Map;

/** A mixture as the bytes of its file: equal mixtures are equal bytes (docs/format/plan.md, section 10). */
public final class MixtureJson {
    private MixtureJson() {}

    /** The bytes of the file. */
    public static byte[] toBytes(Mixture mixture) {
        ObjectNode object = OrderJson.toJson(mixture.order());
        object.set("columns", SchemaJson.toJson(mixture.columns()));
        ObjectNode fill = object.putObject("fill");
        mixture.fill().forEach((column, value) -> {
            ArrayNode values = fill.putArray(column);
            value.values().forEach(values::add);
        });
        return CanonicalJson.indented(object);
    }

    /**
     * @param file what to call these bytes in messages
     * @throws CorruptDataException if they break a rule, or are not what their id says
     */
    public static Mixture parse(byte[] bytes, String file) {
        JsonObject object = JsonObject.root(StrictJson.parse(bytes, file), file);
        if (object.has("dataset")) {
            throw new CorruptDataException(file, "is an order over one dataset, and not a mixture");
        }
        Order order = OrderJson.of(object, "columns", "fill");
        SampleSchema columns = SchemaJson.fromJson(object.object("columns"));
        JsonObject fill = object.object("fill");
        Map<String, FillValue> values = new HashMap<>();
        fill.names().forEach(column -> values.put(column, new FillValue(fill.texts(column))));
        Mixture mixture;
        try {
            mixture = new Mixture(order, columns, values);
        } catch (IllegalArgumentException | ConfigException e) {
            throw new CorruptDataException(file, String.valueOf(e.getMessage()), e);
        }
        OrderId.require(mixture.id(), contentId(mixture), file);
        OrderId.requireCanonical(bytes, toBytes(mixture), file);
        return mixture;
    }

    static String contentId(Mixture mixture) {
        return OrderId.of(toBytes(mixture.withId(OrderId.NONE)));
    }
}
