package io.rankfeed.schema.config;

import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One {@code --set a.b[0].c=value}: the value, read as YAML, replaces the value that the path names. Mappings on the
 * way are made where they are missing; list elements must exist.
 */
final class SetFlag {
    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)((?:\\[\\d{1,6}])*)");

    /** The marker that begins a document. */
    private static final Pattern DOCUMENT = Pattern.compile("^\\s*---(\\s|$)");

    private static final Pattern INDEX = Pattern.compile("\\d+");

    private final Origin origin;
    private final String path;
    private final List<Object> steps = new ArrayList<>();
    private final ConfigNode value;

    private SetFlag(String flag, String path, String value) {
        if (path.chars().filter(sign -> sign == '.' || sign == '[').count() >= YamlReader.MAX_DEPTH - 1) {
            throw new ConfigException(flag + " " + path.substring(0, YamlReader.MAX_DEPTH - 1)
                    + "…: nested deeper than " + YamlReader.MAX_DEPTH);
        }
        // The value may be a secret: messages name the path alone.
        this.origin = new Origin(flag + " " + path);
        this.path = path;
        if (DOCUMENT.matcher(value).find()) {
            throw origin.refuse("", "a value must not begin with ---, which begins a YAML document; leave it out");
        }
        this.value = value.isBlank() ? new ConfigNode.Scalar(origin, "", true) : YamlReader.read(value, line -> origin);
    }

    static SetFlag parse(String flag, String assignment) {
        int equals = assignment.indexOf('=');
        if (equals <= 0) {
            throw new ConfigException(flag + " '" + Redaction.text(assignment) + "': write key=value, as in a.b.c=1");
        }
        SetFlag set = new SetFlag(flag, assignment.substring(0, equals).strip(), assignment.substring(equals + 1));
        for (String step : set.path.split("\\.", -1)) {
            Matcher matcher = STEP.matcher(step);
            if (!matcher.matches()) {
                throw set.origin.refuse("", "'" + step + "' is not a key; write key=value, as in a.b[0].c=1");
            }
            set.steps.add(matcher.group(1));
            INDEX.matcher(matcher.group(2)).results().forEach(found -> set.steps.add(Integer.valueOf(found.group())));
        }
        return set;
    }

    ConfigNode applyTo(ConfigNode root) {
        return replaced(root, 0);
    }

    private ConfigNode replaced(ConfigNode node, int depth) {
        if (depth == steps.size()) {
            return value;
        }
        return steps.get(depth) instanceof Integer index
                ? replacedElement(node, index, depth)
                : replacedEntry(node, (String) steps.get(depth), depth);
    }

    private ConfigNode replacedElement(ConfigNode node, int index, int depth) {
        if (!(node instanceof ConfigNode.Sequence sequence)) {
            throw origin.refuse("", "there is no list for [" + index + "], but " + node.kind());
        }
        if (index >= sequence.items().size()) {
            throw origin.refuse(
                    "",
                    "there is no [" + index + "]; the list has "
                            + sequence.items().size() + " elements");
        }
        List<ConfigNode> items = new ArrayList<>(sequence.items());
        items.set(index, replaced(items.get(index), depth + 1));
        return new ConfigNode.Sequence(sequence.origin(), List.copyOf(items));
    }

    private ConfigNode replacedEntry(ConfigNode node, String key, int depth) {
        Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>();
        if (node instanceof ConfigNode.Mapping mapping) {
            entries.putAll(mapping.entries());
        } else if (!(node instanceof ConfigNode.Scalar scalar && scalar.isNothing())) {
            throw origin.refuse("", "'" + key + "' cannot be set inside " + node.kind());
        }
        ConfigNode.Entry before = entries.get(key);
        ConfigNode inner = before == null ? new ConfigNode.Mapping(origin, Map.of()) : before.node();
        ConfigNode after = replaced(inner, depth + 1);
        boolean last = depth + 1 == steps.size();
        entries.put(key, new ConfigNode.Entry(before == null || last ? origin : before.origin(), after));
        return new ConfigNode.Mapping(node.origin(), entries);
    }
}
