package io.rankfeed.schema.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.SchemaJson;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A bound record as JSON, in the words that a user would write: kebab-case keys sorted by code point, what is absent left
 * out, sizes and durations in their largest exact unit, fractions as plain decimal strings without trailing zeros. Equal
 * records give equal JSON; it holds nothing that {@link CanonicalJson} refuses. Secrets are in it: see {@link Redaction}.
 */
public final class ConfigJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?");

    private ConfigJson() {}

    public static ObjectNode toJson(Record config) {
        Map<String, Object> members = new TreeMap<>(CanonicalJson::compareCodePoints);
        for (RecordComponent component : config.getClass().getRecordComponents()) {
            Object value = RecordKeys.value(component, config);
            if (value instanceof Optional<?> optional) {
                value = optional.orElse(null);
            }
            if (value != null) {
                members.put(RecordKeys.key(component), value);
            }
        }
        return object(members);
    }

    private static ObjectNode object(Map<String, Object> members) {
        ObjectNode object = NODES.objectNode();
        members.forEach((key, value) -> object.set(key, node(value)));
        return object;
    }

    private static JsonNode node(Object value) {
        if (value instanceof String text) {
            return NODES.textNode(text);
        } else if (value instanceof Boolean bool) {
            return NODES.booleanNode(bool);
        } else if (value instanceof Integer || value instanceof Long) {
            return NODES.numberNode(((Number) value).longValue());
        } else if (value instanceof BigDecimal decimal) {
            return NODES.textNode(plain(decimal));
        } else if (value instanceof Double number) {
            return NODES.textNode(plain(BigDecimal.valueOf(number)));
        } else if (value instanceof ByteSize size) {
            return NODES.textNode(size.toString());
        } else if (value instanceof NumberOrAuto number) {
            return number.isAuto()
                    ? NODES.textNode(NumberOrAuto.WORD)
                    : NODES.numberNode(number.number().getAsInt());
        } else if (value instanceof Duration duration) {
            return NODES.textNode(DurationText.format(duration));
        } else if (value instanceof DType dtype) {
            return NODES.textNode(dtype.id());
        } else if (value instanceof Enum<?> constant) {
            return NODES.textNode(Kebab.ofConstant(constant));
        } else if (value instanceof Shape shape) {
            return SchemaJson.toJson(shape);
        } else if (value instanceof Record nested) {
            boolean isNamed = Arrays.stream(nested.getClass().getInterfaces())
                    .anyMatch(type -> type.isAnnotationPresent(NamedVariants.class));
            return isNamed ? NODES.objectNode().set(Kebab.ofClass(nested.getClass()), toJson(nested)) : toJson(nested);
        } else if (value instanceof Map<?, ?> map) {
            Map<String, Object> sorted = new TreeMap<>(CanonicalJson::compareCodePoints);
            map.forEach((key, inner) -> sorted.put((String) key, inner));
            return object(sorted);
        } else if (value instanceof Iterable<?> items) {
            ArrayNode array = NODES.arrayNode();
            items.forEach(item -> array.add(node(item)));
            return array;
        }
        throw new IllegalArgumentException("no JSON for a " + value.getClass().getName());
    }

    private static String plain(BigDecimal decimal) {
        return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
    }

    /** Reads settings that {@link #toJson} wrote, in which decimals are strings. */
    static ConfigNode read(JsonNode json, Origin origin) {
        if (json.isObject()) {
            Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>();
            json.properties()
                    .forEach(member -> entries.put(
                            member.getKey(), new ConfigNode.Entry(origin, read(member.getValue(), origin))));
            return new ConfigNode.Mapping(origin, entries);
        } else if (json.isArray()) {
            List<ConfigNode> items = new ArrayList<>();
            json.forEach(item -> items.add(read(item, origin)));
            return new ConfigNode.Sequence(origin, items);
        }
        String text = json.asText();
        boolean isPlain = !json.isTextual() || DECIMAL.matcher(text).matches();
        return new ConfigNode.Scalar(origin, text, isPlain);
    }
}
