package io.rankfeed.export.card;

import com.fasterxml.jackson.databind.node.TextNode;
import io.rankfeed.schema.json.CanonicalJson;

/** Text in YAML: what JSON takes for a string, YAML does too. */
final class Yaml {
    private Yaml() {}

    static String text(String value) {
        return CanonicalJson.compactText(TextNode.valueOf(value));
    }
}
