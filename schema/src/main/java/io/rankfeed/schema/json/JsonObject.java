package io.rankfeed.schema.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A JSON object of a file, read member by member. Whatever is missing, of another type or out of its range is a
 * {@link CorruptDataException} that names the file and the member.
 */
public final class JsonObject {
    private final String file;
    private final String path;
    private final JsonNode node;

    private JsonObject(String file, String path, JsonNode node) {
        this.file = file;
        this.path = path;
        this.node = node;
    }

    /** The object that is the whole of a file. */
    public static JsonObject root(JsonNode tree, String file) {
        return object(tree, file, "");
    }

    private static JsonObject object(JsonNode node, String file, String path) {
        if (!node.isObject()) {
            throw new CorruptDataException(
                    file, "'" + (path.isEmpty() ? "the document" : path) + "' must be an object");
        }
        return new JsonObject(file, path, node);
    }

    /** Returns the name of the file in messages. */
    public String file() {
        return file;
    }

    /** Refuses every member but these. */
    public JsonObject only(String... known) {
        Set<String> names = Set.of(known);
        node.fieldNames().forEachRemaining(name -> {
            if (!names.contains(name)) {
                throw damage(name, "is unknown" + Suggestion.hint(name, List.of(known)));
            }
        });
        return this;
    }

    public boolean has(String name) {
        return node.has(name);
    }

    /** Returns the names of the members, in the order of the file. */
    public Set<String> names() {
        Map<String, Boolean> names = new LinkedHashMap<>();
        node.fieldNames().forEachRemaining(name -> names.put(name, true));
        return names.keySet();
    }

    /** Returns a member of any type. @throws CorruptDataException if it is missing */
    public JsonNode node(String name) {
        JsonNode child = node.get(name);
        if (child == null) {
            throw damage(name, "is missing");
        }
        return child;
    }

    /** Returns a required string. @throws CorruptDataException if it is missing or another type */
    public String text(String name) {
        return text(name, node(name));
    }

    public Optional<String> optionalText(String name) {
        return has(name) ? Optional.of(text(name)) : Optional.empty();
    }

    /** Returns a required integer. @throws CorruptDataException if it is missing, another type or out of the range */
    public long integer(String name, long min, long max) {
        return integer(name, node(name), min, max);
    }

    /** Returns a required integer, as {@link #integer} does. */
    public int intBetween(String name, int min, int max) {
        return (int) integer(name, min, max);
    }

    /** Returns a required object. @throws CorruptDataException if it is missing or another type */
    public JsonObject object(String name) {
        return object(node(name), file, at(name));
    }

    /** Returns a required list of objects, whose members have paths such as {@code files[3].path} in messages. */
    public List<JsonObject> objects(String name) {
        List<JsonObject> objects = new ArrayList<>();
        for (JsonNode element : array(name)) {
            objects.add(object(element, file, at(name) + "[" + objects.size() + "]"));
        }
        return objects;
    }

    /** Returns a required list of strings. @throws CorruptDataException if an element is another type */
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (JsonNode element : array(name)) {
            texts.add(text(name + "[" + texts.size() + "]", element));
        }
        return texts;
    }

    /** Returns a required list of integers. @throws CorruptDataException if one is out of the range */
    public long[] integers(String name, long min, long max) {
        JsonNode array = array(name);
        long[] values = new long[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = integer(name + "[" + i + "]", array.get(i), min, max);
        }
        return values;
    }

    /** Returns a required list. @throws CorruptDataException if it is missing or another type */
    public JsonNode array(String name) {
        JsonNode array = node(name);
        if (!array.isArray()) {
            throw damage(name, "must be a list");
        }
        return array;
    }

    /** The failure that this member is not what it must be. */
    public CorruptDataException damage(String name, String what) {
        return new CorruptDataException(file, "'" + at(name) + "' " + what);
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private String text(String name, JsonNode child) {
        if (!child.isTextual()) {
            throw damage(name, "must be a string");
        }
        return child.textValue();
    }

    private long integer(String name, JsonNode child, long min, long max) {
        if (!child.isIntegralNumber() || !child.canConvertToLong()) {
            throw damage(name, "must be an integer");
        }
        long value = child.longValue();
        if (value < min || value > max) {
            throw damage(name, "is " + value + "; must be " + min + " to " + max);
        }
        return value;
    }
}
