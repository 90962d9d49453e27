package io.rankfeed.export.card;

import com.fasterxml.jackson.databind.node.TextNode;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.json.CanonicalJson;

/** Text in YAML: what JSON takes for a string, YAML does too, but for control characters of Latin-1, which are escaped. */
final class Yaml {
    private Yaml() {}

    static String text(String value) {
        return Printable.line(CanonicalJson.compactText(TextNode.valueOf(value)));
    }
}
