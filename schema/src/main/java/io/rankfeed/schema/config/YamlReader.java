package io.rankfeed.schema.config;

import io.rankfeed.schema.failure.ConfigException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/**
 * YAML text as a tree with line numbers, built from parser events: nothing is constructed, so a tag can name no class;
 * tags, anchors and aliases are refused outright, so a small text cannot become a large tree.
 */
final class YamlReader {
    /** Text of as many bytes has no more characters. */
    static final int MAX_CHARS = ConfigDocument.MAX_BYTES;

    static final int MAX_DEPTH = 32;

    private final Iterator<Event> events;
    private final IntFunction<Origin> origins;
    private int depth;

    private YamlReader(String text, IntFunction<Origin> origins) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CHARS);
        this.events = new Yaml(new SafeConstructor(options))
                .parse(new StringReader(text))
                .iterator();
        this.origins = origins;
    }

    /** The one document of a text. An empty text is an empty mapping. */
    static ConfigNode read(String text, IntFunction<Origin> origins) {
        if (text.length() > MAX_CHARS) {
            throw origins.apply(1).refuse("", "has " + text.length() + " characters; at most " + MAX_CHARS);
        }
        try {
            return new YamlReader(text, origins).document();
        } catch (MarkedYAMLException e) {
            int line =
                    Optional.ofNullable(e.getProblemMark()).map(Mark::getLine).orElse(0) + 1;
            throw new ConfigException(origins.apply(line).where() + ": not valid YAML: " + e.getProblem(), e);
        } catch (YAMLException e) {
            throw new ConfigException(origins.apply(1).where() + ": not valid YAML: " + e.getMessage(), e);
        }
    }

    private ConfigNode document() {
        ConfigNode root = new ConfigNode.Mapping(origins.apply(1), Map.of());
        int documents = 0;
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof DocumentStartEvent) {
                if (++documents > 1) {
                    throw origin(event).refuse("", "a second document begins here; write one");
                }
                root = node(events.next());
            }
        }
        return root;
    }

    private ConfigNode node(Event event) {
        Origin origin = origin(event);
        if (event instanceof AliasEvent || (event instanceof NodeEvent named && named.getAnchor() != null)) {
            throw origin.refuse("", "anchors and aliases are not accepted; write the value out");
        }
        if (++depth > MAX_DEPTH) {
            throw origin.refuse("", "nested deeper than " + MAX_DEPTH);
        }
        ConfigNode node;
        if (event instanceof ScalarEvent scalar) {
            refuseTag(origin, scalar.getTag());
            boolean plain = scalar.getScalarStyle() == DumperOptions.ScalarStyle.PLAIN;
            node = new ConfigNode.Scalar(origin, scalar.getValue(), plain);
        } else if (event instanceof SequenceStartEvent start) {
            refuseTag(origin, start.getTag());
            node = sequence(origin);
        } else if (event instanceof MappingStartEvent start) {
            refuseTag(origin, start.getTag());
            node = mapping(origin);
        } else {
            throw new IllegalStateException("unexpected event " + event);
        }
        depth--;
        return node;
    }

    private ConfigNode sequence(Origin origin) {
        List<ConfigNode> items = new ArrayList<>();
        for (Event event = events.next(); !(event instanceof SequenceEndEvent); event = events.next()) {
            items.add(node(event));
        }
        return new ConfigNode.Sequence(origin, List.copyOf(items));
    }

    private ConfigNode mapping(Origin origin) {
        Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>();
        for (Event event = events.next(); !(event instanceof MappingEndEvent); event = events.next()) {
            if (!(node(event) instanceof ConfigNode.Scalar key)) {
                throw origin(event).refuse("", "a key must be a word, not a list or a mapping");
            }
            ConfigNode.Entry before = entries.get(key.text());
            if (before != null) {
                throw key.origin()
                        .refuse(
                                key.text(),
                                "is listed twice; first at " + before.origin().where());
            }
            entries.put(key.text(), new ConfigNode.Entry(key.origin(), node(events.next())));
        }
        return new ConfigNode.Mapping(origin, entries);
    }

    private static void refuseTag(Origin origin, @Nullable String tag) {
        if (tag != null) {
            throw origin.refuse("", "the tag '" + tag + "' is not accepted; write the plain value");
        }
    }

    private Origin origin(Event event) {
        Mark mark = event.getStartMark();
        return origins.apply(mark == null ? 1 : mark.getLine() + 1);
    }
}
