package io.rankfeed.text.chat.jinja.value;

import java.util.LinkedHashMap;
import java.util.Map;

/** A {@code namespace}, whose attributes can be set from any frame. It is equal to no other one. */
public final class Namespace {
    private final Map<String, Object> attributes = new LinkedHashMap<>();

    public Map<String, Object> attributes() {
        return attributes;
    }

    public void set(String name, Object value) {
        if (name.startsWith("_")) {
            throw TemplateError.of("a namespace cannot have the attribute '" + name + "'; rename it");
        }
        attributes.put(name, value);
    }
}
