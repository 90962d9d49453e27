package io.rankfeed.spark.chat;

import io.rankfeed.spark.json.JsonTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A conversation as templates get it: nothing of it can be changed, and no text of it has a mark of {@link TemplateTags}. */
final class FrozenValues {
    private FrozenValues() {}

    /** @throws ChatException if a text has a mark or half of a surrogate pair */
    static List<Object> list(List<?> values) throws ChatException {
        List<Object> frozen = new ArrayList<>();
        for (Object value : values) {
            frozen.add(of(value));
        }
        return Collections.unmodifiableList(frozen);
    }

    private static Object of(@Nullable Object value) throws ChatException {
        if (value == null) {
            return PythonNone.NONE;
        } else if (value instanceof Map<?, ?> map) {
            Map<Object, Object> frozen = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                frozen.put(of(entry.getKey()), of(entry.getValue()));
            }
            return Collections.unmodifiableMap(frozen);
        } else if (value instanceof List<?> list) {
            return list(list);
        } else if (value instanceof String text
                && (text.indexOf(TemplateTags.BEGIN) >= 0 || text.indexOf(TemplateTags.END) >= 0)) {
            throw new ChatException("a text has the noncharacter U+FDD0 or U+FDD1, which no text may have; remove it");
        } else if (value instanceof String text && JsonTree.hasHalfPair(text)) {
            throw new ChatException(
                    "a text has half of a surrogate pair (\\ud800 to \\udfff), which is not a character");
        }
        return value;
    }
}
