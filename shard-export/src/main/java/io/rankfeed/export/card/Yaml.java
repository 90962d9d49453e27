package io.rankfeed.export.card;

import com.fasterxml.jackson.databind.node.TextNode;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.json.CanonicalJson;

/**
 * Quotes text for YAML. A JSON string is a YAML string, except for control characters of Latin-1, which are escaped.
 */
final class Yaml {
    private Yaml() {}

    static String text(String value) {
        return Printable.line(CanonicalJson.compactText(TextNode.valueOf(value)));
    }
}
