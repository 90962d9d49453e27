package io.rankfeed.text.chat.jinja.value;

import java.util.List;

/** A view of a dict: the result of {@code keys()}, {@code values()} or {@code items()}. */
public record View(Kind kind, Dict dict) {
    public enum Kind {
        KEYS("dict_keys"),
        VALUES("dict_values"),
        ITEMS("dict_items");

        private final String typeName;

        Kind(String typeName) {
            this.typeName = typeName;
        }

        @Override
        public String toString() {
            return typeName;
        }
    }

    List<Object> list() {
        return switch (kind) {
            case KEYS -> dict.keys();
            case VALUES -> dict.values();
            case ITEMS -> dict.items();
        };
    }
}
