package io.rankfeed.schema.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A YAML file as the user wrote it, with flags laid over it, ready to be bound to a record:
 *
 * <pre>
 *   Job job = ConfigDocument.parse("conf/jobs/x.yaml", bytes).with("--set", "sample.train.batch=64").bind(Job.class);
 * </pre>
 *
 * Keys are the record components' names in kebab-case. A component may be a String, boolean, int, long, double, BigDecimal, {@link
 * ByteSize}, {@link NumberOrAuto}, Duration, DType, Shape, enum, List, Map with String keys, Optional, record, or a sealed interface of
 * records. Of such a union that record is meant whose <em>first</em> component's key is written; exactly one must be; a union with {@link
 * NamedVariants} is written by the variant's name. Of a record that is {@link WrittenShort} a single value may stand for the whole. A key
 * that is not written takes its {@link Default}, else null where the component is {@code @Nullable}, else Optional.empty, else it is
 * missing. Every refusal is a {@link ConfigException}.
 */
public final class ConfigDocument {
    /** The most bytes that a configuration may have. */
    public static final int MAX_BYTES = 1 << 20;

    private final ConfigNode root;

    private ConfigDocument(ConfigNode root) {
        this.root = root;
        learn("", root);
    }

    /** @param file what to call the text in messages */
    public static ConfigDocument parse(String file, String text) {
        Redaction.learn(text);
        return new ConfigDocument(YamlReader.read(text, line -> Origin.line(file, line)));
    }

    public static ConfigDocument parse(String file, byte[] utf8) {
        if (utf8.length > MAX_BYTES) {
            throw tooLong(file, utf8.length);
        }
        try {
            return parse(
                    file,
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(utf8))
                            .toString());
        } catch (CharacterCodingException e) {
            throw new ConfigException(file + ": is not UTF-8 text", e);
        }
    }

    /**
     * Settings that {@link ConfigJson} wrote.
     *
     * @param file what to call them in messages
     */
    public static ConfigDocument of(String file, ObjectNode settings) {
        return new ConfigDocument(ConfigJson.read(settings, new Origin(file)));
    }

    /** The refusal of a configuration of more than {@link #MAX_BYTES}, for those too who look before they read. */
    public static ConfigException tooLong(String file, long lengthBytes) {
        return new ConfigException(
                file + ": has " + lengthBytes + " bytes; a configuration has at most " + new ByteSize(MAX_BYTES));
    }

    /**
     * The bytes of a local file. A device or a pipe, whose size is unknown, is not read to its end.
     *
     * @throws ConfigException if it has more than {@link #MAX_BYTES}
     */
    public static byte[] read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw tooLong(file.toString(), Files.size(file));
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw tooLong(file.toString(), bytes.length);
            }
            return bytes;
        }
    }

    /**
     * Returns this document with one value replaced.
     *
     * @param flag the flag's name, for messages
     * @param assignment {@code a.b.c=value} or {@code a.b[0].c=value}
     */
    public ConfigDocument with(String flag, String assignment) {
        return new ConfigDocument(SetFlag.parse(flag, assignment).applyTo(root));
    }

    /** Returns this document with the top-level keys of another one in place of its own. */
    public ConfigDocument with(ConfigDocument changes) {
        Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>(mapping().entries());
        entries.putAll(changes.mapping().entries());
        return new ConfigDocument(new ConfigNode.Mapping(mapping().origin(), entries));
    }

    /** Returns this document without some of its top-level keys. */
    public ConfigDocument without(Collection<String> keys) {
        Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>(mapping().entries());
        entries.keySet().removeAll(keys);
        return new ConfigDocument(new ConfigNode.Mapping(mapping().origin(), entries));
    }

    /** The top-level keys as they are written. */
    public Set<String> keys() {
        return mapping().entries().keySet();
    }

    private ConfigNode.Mapping mapping() {
        if (root instanceof ConfigNode.Mapping mapping) {
            return mapping;
        }
        throw root.origin().refuse("", "must be keys with values, as in batch: 512");
    }

    /** Learns the secrets of a node, so that no later message repeats them, also of libraries. */
    private static void learn(String key, ConfigNode node) {
        if (node instanceof ConfigNode.Scalar scalar) {
            Redaction.learn(key, scalar.text());
        } else if (node instanceof ConfigNode.Sequence sequence) {
            sequence.items().forEach(item -> learn(key, item));
        } else if (node instanceof ConfigNode.Mapping mapping) {
            mapping.entries().forEach((name, entry) -> learn(name, entry.node()));
        }
    }

    /** The scalar of a top-level key as written; empty if there is none. Nothing else is checked. */
    public Optional<String> text(String key) {
        if (!(root instanceof ConfigNode.Mapping mapping)) {
            return Optional.empty();
        }
        return Optional.ofNullable(mapping.entries().get(key))
                .map(ConfigNode.Entry::node)
                .filter(node -> node instanceof ConfigNode.Scalar scalar && !scalar.isNothing())
                .map(node -> ((ConfigNode.Scalar) node).text());
    }

    /** Whether a top-level key is missing, or has no value, or one without any content: blank text, [] or {}. */
    public boolean isEmpty(String key) {
        ConfigNode.Entry entry = mapping().entries().get(key);
        return entry == null || isEmpty(entry.node());
    }

    private static boolean isEmpty(ConfigNode node) {
        if (node instanceof ConfigNode.Scalar scalar) {
            return scalar.isNothing() || scalar.text().isBlank();
        } else if (node instanceof ConfigNode.Sequence sequence) {
            return sequence.items().isEmpty();
        }
        return ((ConfigNode.Mapping) node).entries().isEmpty();
    }

    /** @throws ConfigException if a top-level key is written without a value; the message ends with what to do */
    public ConfigDocument requireValue(String key, String remedy) {
        ConfigNode.Entry entry = mapping().entries().get(key);
        if (entry != null && isEmpty(entry.node())) {
            throw entry.origin().refuse(key, "has no value; " + remedy);
        }
        return this;
    }

    /** Whether a key is at the top level, whatever its value is. */
    public boolean has(String key) {
        return root instanceof ConfigNode.Mapping mapping && mapping.entries().containsKey(key);
    }

    public <T extends Record> T bind(Class<T> type) {
        return type.cast(new Binder().record(root, type, ""));
    }
}
