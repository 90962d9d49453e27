package io.rankfeed.spark.chat.jinja.value;

import java.util.Map;

/** A {@code namespace}, whose attributes can be set from any frame. */
public record Namespace(Map<String, Object> attributes) {
    public void set(String name, Object value) {
        if (name.startsWith("_")) {
            throw TemplateError.of("a namespace cannot have the attribute '" + name + "'; rename it");
        }
        attributes.put(name, value);
    }
}
