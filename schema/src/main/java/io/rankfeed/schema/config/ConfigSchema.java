package io.rankfeed.schema.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The JSON Schema (2020-12) of a file that {@link ConfigDocument} binds to a record, for editors. Every file that is read fits its schema;
 * what keys mean together is checked by the reader alone. Keys of a record are never below an {@code anyOf}, whose error an editor shows
 * for the whole record: an unknown key has one error, at that key.
 */
public final class ConfigSchema {
    private static final List<Class<?>> WHOLE =
            List.of(int.class, Integer.class, long.class, Long.class, BigInteger.class);
    private static final List<Class<?>> DECIMAL = List.of(double.class, Double.class, BigDecimal.class);

    private final ObjectNode definitions = JsonNodeFactory.instance.objectNode();
    private final Map<String, Class<?>> named = new HashMap<>();

    private ConfigSchema() {}

    /** @param title of the file's kind */
    public static ObjectNode of(Class<?> type, String title) {
        ConfigSchema schema = new ConfigSchema();
        ObjectNode root = object();
        root.put("$schema", "https://json-schema.org/draft/2020-12/schema").put("title", title);
        root.put("type", "object").setAll(schema.record(type));
        root.set("$defs", schema.definitions);
        return root;
    }

    private ObjectNode record(Class<?> type) {
        ObjectNode record = object();
        ObjectNode properties = record.putObject("properties");
        ArrayNode required = JsonNodeFactory.instance.arrayNode();
        for (RecordComponent component : type.getRecordComponents()) {
            String key = RecordKeys.key(component);
            boolean isOptional = component.isAnnotationPresent(Default.class)
                    || component.getType() == Optional.class
                    || RecordKeys.isNullable(component);
            ObjectNode value = component(component);
            properties.set(key, isOptional ? orNull(value) : value);
            if (!isOptional) {
                required.add(key);
            }
        }
        if (!required.isEmpty()) {
            record.set("required", required);
        }
        OneOf oneOf = type.getAnnotation(OneOf.class);
        if (oneOf != null) {
            ArrayNode alternatives = ofKnownKeys(record).putArray("oneOf");
            Arrays.stream(oneOf.value())
                    .forEach(
                            key -> alternatives.addObject().putArray("required").add(key));
        }
        return record.put("additionalProperties", false);
    }

    private ObjectNode component(RecordComponent component) {
        ObjectNode value = value(component.getAnnotatedType());
        Range range = component.getAnnotation(Range.class);
        if (range != null && value.path("type").toString().contains("\"integer\"")) {
            value.put("minimum", range.min());
            if (range.max() != Long.MAX_VALUE) {
                value.put("maximum", range.max());
            }
        }
        if (component.isAnnotationPresent(NotEmpty.class)) {
            value.put("minItems", 1);
        }
        Default written = component.getAnnotation(Default.class);
        if (written != null && !written.value().isEmpty() && !written.value().matches("[\\[{].*")) {
            value.put("description", "Default: " + written.value());
        }
        return value;
    }

    private ObjectNode value(AnnotatedType annotated) {
        Class<?> raw = raw(annotated);
        if (raw == Optional.class) {
            return value(argument(annotated, 0));
        } else if (raw == List.class) {
            return object("array").set("items", value(argument(annotated, 0)));
        } else if (raw == Map.class) {
            return object("object").set("additionalProperties", value(argument(annotated, 1)));
        } else if (raw == Shape.class) {
            ObjectNode shape = object("array");
            shape.putObject("items").putArray("type").add("integer").add("null");
            return shape;
        } else if (raw.isAnnotationPresent(NamedVariants.class)) {
            return reference(raw, this::variants);
        } else if (raw.isRecord() && !Scalars.RECORDS.contains(raw)) {
            return reference(raw, this::record);
        }
        return scalar(raw);
    }

    private static ObjectNode scalar(Class<?> raw) {
        if (raw == boolean.class || raw == Boolean.class) {
            return object("boolean");
        } else if (WHOLE.contains(raw)) {
            return object("integer");
        } else if (DECIMAL.contains(raw)) {
            return object("number");
        } else if (raw == ByteSize.class) {
            return object("string").put("pattern", "^[0-9]+ ?(B|KiB|MiB|GiB|TiB)$");
        } else if (raw == NumberOrAuto.class) {
            ObjectNode number = object().put("pattern", "^" + NumberOrAuto.WORD + "$");
            number.putArray("type").add("integer").add("string");
            return number;
        } else if (raw == Duration.class) {
            return object("string");
        } else if (raw == DType.class) {
            return words(Stream.concat(
                    Stream.of("auto"), Arrays.stream(DType.values()).map(DType::id)));
        } else if (raw.isEnum()) {
            return words(Arrays.stream(raw.getEnumConstants()).map(constant -> Kebab.ofConstant((Enum<?>) constant)));
        }
        // A text may be written without quotes whatever it looks like.
        ObjectNode text = object();
        text.putArray("type").add("string").add("number").add("boolean");
        return text;
    }

    private ObjectNode variants(Class<?> type) {
        ObjectNode one = object();
        ObjectNode properties = one.putObject("properties");
        for (Class<?> variant : type.getPermittedSubclasses()) {
            properties.set(Kebab.ofClass(variant), orNull(reference(variant, this::record)));
        }
        ofKnownKeys(one).put("minProperties", 1).put("maxProperties", 1);
        return one.put("additionalProperties", false);
    }

    /**
     * Returns the schema that applies to an object without an unknown key, so that a misspelled choice is one error and
     * not two.
     */
    private static ObjectNode ofKnownKeys(ObjectNode record) {
        ObjectNode known = record.putObject("if").put("type", "object").putObject("propertyNames");
        known.setAll(words(record.path("properties").properties().stream().map(Map.Entry::getKey)));
        return record.putObject("then");
    }

    private interface Definition {
        ObjectNode of(Class<?> type);
    }

    /**
     * Refers to the definition of a record, which is written once, by its name, so that a record may contain records of
     * its own kind.
     */
    private ObjectNode reference(Class<?> type, Definition definition) {
        String name = type.getSimpleName();
        Class<?> other = named.putIfAbsent(name, type);
        if (other != null && other != type) {
            throw new IllegalStateException(other + " and " + type + " have one name in the schema");
        }
        if (!definitions.has(name)) {
            definitions.putObject(name);
            definitions.set(name, definition.of(type));
        }
        ObjectNode reference = object().put("$ref", "#/$defs/" + name);
        WrittenShort key = type.getAnnotation(WrittenShort.class);
        if (type.isAnnotationPresent(NamedVariants.class)) {
            return orShort(
                    reference,
                    words(Arrays.stream(type.getPermittedSubclasses()).map(Kebab::ofClass)));
        } else if (key == null) {
            return reference.put("type", "object");
        }
        RecordComponent component = Arrays.stream(type.getRecordComponents())
                .filter(one -> RecordKeys.key(one).equals(key.value()))
                .findFirst()
                .orElseThrow();
        return orShort(reference, value(component.getAnnotatedType()));
    }

    private static ObjectNode orShort(ObjectNode reference, ObjectNode single) {
        reference.putArray("anyOf").add(object("object")).add(single);
        return reference;
    }

    /** The keys of a definition restrict objects alone, so the type next to a reference decides. */
    private static ObjectNode orNull(ObjectNode value) {
        if (value.get("anyOf") instanceof ArrayNode alternatives) {
            alternatives.add(object("null"));
        } else if (value.get("enum") instanceof ArrayNode words) {
            words.addNull();
        } else {
            JsonNode type = value.get("type");
            ArrayNode types = type instanceof ArrayNode several
                    ? several
                    : value.putArray("type").add(type);
            types.add("null");
        }
        return value;
    }

    private static ObjectNode words(Stream<String> words) {
        ObjectNode choice = object();
        ArrayNode known = choice.putArray("enum");
        words.forEach(known::add);
        return choice;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static ObjectNode object(String type) {
        return object().put("type", type);
    }

    private static Class<?> raw(AnnotatedType annotated) {
        return annotated.getType() instanceof ParameterizedType generic
                ? (Class<?>) generic.getRawType()
                : (Class<?>) annotated.getType();
    }

    private static AnnotatedType argument(AnnotatedType type, int index) {
        return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[index];
    }
}
