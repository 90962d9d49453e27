package io.rankfeed.schema.config;

import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A tree as a record, or the refusal that names line and key. The rules are those of {@link ConfigDocument}. */
final class Binder {
    Object record(ConfigNode node, Class<?> type, String path) {
        ConfigNode.Mapping mapping = mapping(inFull(node, type), path);
        List<RecordComponent> components = List.of(type.getRecordComponents());
        List<String> known = components.stream().map(RecordKeys::key).toList();
        mapping.entries().forEach((key, entry) -> {
            if (!known.contains(key)) {
                throw entry.origin().refuse(join(path, key), "unknown key" + Suggestion.hint(key, known));
            }
        });
        checkOneOf(mapping, type, path);
        @Nullable Object[] values = new @Nullable Object[components.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = component(mapping, components.get(i), path);
        }
        try {
            return RecordKeys.construct(type, values);
        } catch (BadValue e) {
            ConfigNode.Entry entry = mapping.entries().get(e.key());
            Origin origin = entry == null ? mapping.origin() : entry.origin();
            throw origin.refuse(e.key().isEmpty() ? path : join(path, e.key()), e.what());
        } catch (ConfigException e) {
            throw mapping.origin().refuse(path, e.getMessage());
        }
    }

    private static ConfigNode inFull(ConfigNode node, Class<?> type) {
        WrittenShort key = type.getAnnotation(WrittenShort.class);
        return key == null || !(node instanceof ConfigNode.Scalar) || isNothing(node)
                ? node
                : new ConfigNode.Mapping(node.origin(), Map.of(key.value(), new ConfigNode.Entry(node.origin(), node)));
    }

    private void checkOneOf(ConfigNode.Mapping mapping, Class<?> type, String path) {
        OneOf oneOf = type.getAnnotation(OneOf.class);
        if (oneOf != null) {
            List<String> keys = List.of(oneOf.value());
            only(mapping, keys, keys, path);
        }
    }

    private @Nullable Object component(ConfigNode.Mapping mapping, RecordComponent component, String path) {
        String key = RecordKeys.key(component);
        String at = join(path, key);
        AnnotatedType type = component.getAnnotatedType();
        ConfigNode.Entry entry = mapping.entries().get(key);
        Default fallback = component.getAnnotation(Default.class);
        if (entry == null || isNothing(entry.node())) {
            if (fallback != null) {
                ConfigNode written = YamlReader.read(fallback.value(), line -> new Origin("the default"));
                return value(written, type, at);
            } else if (raw(type.getType()) == Optional.class) {
                return Optional.empty();
            } else if (RecordKeys.isNullable(component)) {
                return null;
            }
            throw entry == null
                    ? mapping.origin().refuse(path, "missing key '" + key + "'")
                    : entry.origin().refuse(at, "has no value");
        }
        Range range = component.getAnnotation(Range.class);
        if (range != null) {
            checkRange(entry.node(), range, type, at);
        }
        Object value = value(entry.node(), type, at);
        if (value instanceof List<?> list && list.isEmpty() && component.isAnnotationPresent(NotEmpty.class)) {
            throw entry.node().origin().refuse(at, "is an empty list; name at least one, or leave the key out for all");
        }
        return value;
    }

    /** Runs before the value is converted to an int, so that the error for a large number states the range and not the type. */
    private static void checkRange(ConfigNode node, Range range, AnnotatedType annotated, String path) {
        Class<?> type = raw(annotated.getType()) == Optional.class
                ? raw(argument(annotated, 0).getType())
                : raw(annotated.getType());
        if (type == NumberOrAuto.class && !(node instanceof ConfigNode.Scalar word && Scalars.isWhole(word))) {
            scalar(node, type, path);
            return;
        }
        boolean isSize = type == ByteSize.class;
        boolean isInt = type == int.class || type == Integer.class || type == NumberOrAuto.class;
        BigInteger number = isSize
                ? BigInteger.valueOf(((ByteSize) scalar(node, type, path)).bytes())
                : (BigInteger) scalar(node, BigInteger.class, path);
        long max = isInt ? Math.min(range.max(), Integer.MAX_VALUE) : range.max();
        boolean under = number.compareTo(BigInteger.valueOf(range.min())) < 0;
        if (under || number.compareTo(BigInteger.valueOf(max)) > 0) {
            LongFunction<String> shown = bound -> isSize ? new ByteSize(bound).toString() : Long.toString(bound);
            boolean isOpen = under && range.max() == Long.MAX_VALUE;
            throw node.origin()
                    .refuse(
                            path,
                            (isSize ? shown.apply(number.longValueExact()) : number) + " is out of range; must be "
                                    + (isOpen ? "at least " : "") + shown.apply(range.min())
                                    + (isOpen ? "" : " to " + shown.apply(max)));
        }
    }

    private Object value(ConfigNode node, AnnotatedType annotated, String path) {
        Class<?> raw = raw(annotated.getType());
        if (raw == Optional.class) {
            return Optional.of(value(node, argument(annotated, 0), path));
        } else if (raw == List.class) {
            return list(node, argument(annotated, 0), path);
        } else if (raw == Map.class) {
            return map(node, argument(annotated, 1), path);
        } else if (raw == Shape.class) {
            return shape(node, path);
        } else if (raw.isAnnotationPresent(NamedVariants.class)) {
            return variant(node, raw, path);
        } else if (raw.isSealed()) {
            return union(node, raw, path);
        } else if (raw.isRecord() && !Scalars.RECORDS.contains(raw)) {
            return record(node, raw, path);
        }
        return scalar(node, raw, path);
    }

    private static Object scalar(ConfigNode node, Class<?> raw, String path) {
        if (!(node instanceof ConfigNode.Scalar scalar) || scalar.isNothing()) {
            throw node.origin().refuse(path, "must be a single value, not " + node.kind());
        }
        Object value;
        try {
            value = Scalars.value(scalar, raw);
        } catch (BadValue e) {
            throw node.origin().refuse(path, e.what());
        } catch (ConfigException e) {
            throw node.origin().refuse(path, e.getMessage());
        }
        if (value == null) {
            throw new IllegalStateException("no way to bind a " + raw.getName() + " at '" + path + "'");
        }
        return value;
    }

    private List<Object> list(ConfigNode node, AnnotatedType element, String path) {
        if (!(node instanceof ConfigNode.Sequence sequence)) {
            throw node.origin().refuse(path, "must be a list, as in [a, b], not " + node.kind());
        }
        List<Object> values = new ArrayList<>();
        for (ConfigNode item : sequence.items()) {
            values.add(value(item, element, path + "[" + values.size() + "]"));
        }
        return List.copyOf(values);
    }

    private Map<String, Object> map(ConfigNode node, AnnotatedType element, String path) {
        Map<String, Object> values = new LinkedHashMap<>();
        mapping(node, path)
                .entries()
                .forEach((key, entry) -> values.put(key, value(entry.node(), element, join(path, key))));
        return Collections.unmodifiableMap(values);
    }

    private static Shape shape(ConfigNode node, String path) {
        if (!(node instanceof ConfigNode.Sequence sequence)) {
            throw node.origin().refuse(path, "must be a shape, as in [64, 64, 3] or [null, 3], not " + node.kind());
        }
        List<Integer> dims = new ArrayList<>();
        for (ConfigNode item : sequence.items()) {
            int dim = isNothing(item) ? Shape.VARIABLE : (Integer) scalar(item, Integer.class, path);
            if (dim < 0 && !isNothing(item)) {
                throw node.origin()
                        .refuse(path, "has a dimension of " + dim + "; where rows differ in length write null");
            }
            dims.add(dim);
        }
        try {
            return new Shape(dims);
        } catch (ConfigException e) {
            throw node.origin().refuse(path, e.getMessage());
        }
    }

    private Object variant(ConfigNode node, Class<?> type, String path) {
        Map<String, Class<?>> variants = new LinkedHashMap<>();
        for (Class<?> variant : type.getPermittedSubclasses()) {
            variants.put(Kebab.ofClass(variant), variant);
        }
        Map<String, ConfigNode.Entry> written = node instanceof ConfigNode.Scalar name && !name.isNothing()
                ? Map.of(
                        name.text(),
                        new ConfigNode.Entry(node.origin(), new ConfigNode.Mapping(node.origin(), Map.of())))
                : mapping(node, path).entries();
        if (written.size() != 1) {
            throw node.origin()
                    .refuse(
                            path,
                            "must have one key, one of " + String.join(" | ", variants.keySet()) + "; it has "
                                    + (written.isEmpty() ? "none" : String.join(" and ", written.keySet())));
        }
        String name = written.keySet().iterator().next();
        ConfigNode.Entry entry = Objects.requireNonNull(written.get(name));
        Class<?> variant = variants.get(name);
        if (variant == null) {
            List<String> known = List.copyOf(variants.keySet());
            throw entry.origin().refuse(path, "unknown key '" + name + "'" + Suggestion.hint(name, known));
        }
        ConfigNode options = isNothing(entry.node()) ? new ConfigNode.Mapping(entry.origin(), Map.of()) : entry.node();
        return record(options, variant, join(path, name));
    }

    private Object union(ConfigNode node, Class<?> type, String path) {
        ConfigNode.Mapping mapping = mapping(node, path);
        Map<String, Class<?>> variants = new LinkedHashMap<>();
        for (Class<?> variant : type.getPermittedSubclasses()) {
            variants.put(RecordKeys.key(variant.getRecordComponents()[0]), variant);
        }
        List<String> known = variants.values().stream()
                .flatMap(variant -> Arrays.stream(variant.getRecordComponents()))
                .map(RecordKeys::key)
                .distinct()
                .toList();
        String written = only(mapping, List.copyOf(variants.keySet()), known, path);
        return record(node, Objects.requireNonNull(variants.get(written)), path);
    }

    /** The only one of these keys that is written; {@code known} are all that could be. */
    private static String only(ConfigNode.Mapping mapping, List<String> keys, List<String> known, String path) {
        List<String> written = keys.stream()
                .filter(key -> {
                    ConfigNode.Entry entry = mapping.entries().get(key);
                    return entry != null && !isNothing(entry.node());
                })
                .toList();
        if (written.size() == 1) {
            return written.get(0);
        }
        String wanted = "exactly one of " + String.join(" | ", keys) + " must be written";
        if (written.isEmpty()) {
            // Most often the one that is wanted is there, misspelt.
            mapping.entries().forEach((key, entry) -> {
                if (!known.contains(key) && Suggestion.nearest(key, keys).isPresent()) {
                    throw entry.origin().refuse(join(path, key), "unknown key" + Suggestion.hint(key, keys));
                }
            });
            throw mapping.origin().refuse(path, wanted + ", none is");
        }
        ConfigNode.Entry second = Objects.requireNonNull(mapping.entries().get(written.get(1)));
        throw second.origin().refuse(path, wanted + ", not " + String.join(" and ", written));
    }

    private static ConfigNode.Mapping mapping(ConfigNode node, String path) {
        if (node instanceof ConfigNode.Mapping mapping) {
            return mapping;
        }
        throw node.origin().refuse(path, "must be a mapping (key: value), not " + node.kind());
    }

    private static boolean isNothing(ConfigNode node) {
        return node instanceof ConfigNode.Scalar scalar && scalar.isNothing();
    }

    private static Class<?> raw(Type type) {
        return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
    }

    private static AnnotatedType argument(AnnotatedType type, int index) {
        return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[index];
    }

    private static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
