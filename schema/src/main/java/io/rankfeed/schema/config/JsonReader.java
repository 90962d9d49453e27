package io.rankfeed.schema.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads a configuration back from the JSON of {@link ConfigJson}, in which decimals are strings. */
final class JsonReader {
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?");

    private JsonReader() {}

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
