package io.rankfeed.schema.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CanonicalJsonTest {
    @Test
    void membersAreSortedAndIndentedByTwo() {
        JsonNode tree = parse("{\"b\":[1,{\"d\":true,\"c\":null}],\"a\":{},\"e\":[]}");
        assertThat(new String(CanonicalJson.indented(tree), StandardCharsets.UTF_8))
                .isEqualTo("""
                        {
                          "a": {},
                          "b": [
                            1,
                            {
                              "c": null,
                              "d": true
                            }
                          ],
                          "e": []
                        }
                        """);
        assertThat(CanonicalJson.compactText(tree)).isEqualTo("{\"a\":{},\"b\":[1,{\"c\":null,\"d\":true}],\"e\":[]}");
    }

    @Test
    void nothingIsEscapedThatNeedNotBe() {
        JsonNode tree = parse("\"\\u00e9\\/\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u007f\\ud83d\\ude00<\"");
        assertThat(CanonicalJson.compactText(tree)).isEqualTo("\"é/\\\"\\\\\\b\\f\\n\\r\\t\\u0001\u007f😀<\"");
    }

    @Test
    void namesAreOrderedByCodePointNotByUtf16() {
        // U+FFFD is below U+1F600, whose first UTF-16 unit is below U+FFFD.
        assertThat(CanonicalJson.compareCodePoints("\ufffd", "😀")).isNegative();
        assertThat(CanonicalJson.compareCodePoints("a", "ab")).isNegative();
        assertThat(CanonicalJson.compareCodePoints("ab", "ab")).isZero();
    }

    @Test
    void whatHasNoCanonicalFormIsRefused() {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        assertThatThrownBy(() -> CanonicalJson.compact(nodes.numberNode(0.5)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CanonicalJson.compact(nodes.textNode("\ud800")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CanonicalJson.compact(nodes.textNode("\udc00")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static JsonNode parse(String json) {
        return StrictJson.parse(json.getBytes(StandardCharsets.UTF_8), "test");
    }
}
