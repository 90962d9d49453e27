package io.rankfeed.schema.config;

import java.util.List;
import java.util.Map;

/** A piece of what was written, before it has a type. */
sealed interface ConfigNode {
    Origin origin();

    /** Names the kind of the node, for messages. */
    String kind();

    /** @param plain written without quotes, so that it may be a number, a truth value or nothing */
    record Scalar(Origin origin, String text, boolean plain) implements ConfigNode {
        boolean isNothing() {
            return plain && (text.isEmpty() || text.equals("~") || text.equals("null"));
        }

        @Override
        public String kind() {
            return isNothing() ? "nothing" : "'" + shortened() + "'";
        }

        private String shortened() {
            String shown = Redaction.text(text);
            return shown.length() <= 60 ? shown : shown.substring(0, 60) + "…";
        }
    }

    record Sequence(Origin origin, List<ConfigNode> items) implements ConfigNode {
        @Override
        public String kind() {
            return "a list";
        }
    }

    /** @param entries in the order written */
    record Mapping(Origin origin, Map<String, Entry> entries) implements ConfigNode {
        @Override
        public String kind() {
            return "a mapping";
        }
    }

    /** @param origin where the key is */
    record Entry(Origin origin, ConfigNode node) {}
}
