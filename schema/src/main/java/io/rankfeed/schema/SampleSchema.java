package io.rankfeed.schema;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of a sample, in order, of unique names.
 *
 * @param fields at least one, at most {@link #MAX_FIELDS}
 */
public record SampleSchema(List<Field> fields) {
    public static final int MAX_FIELDS = 4096;

    /** @throws ConfigException if there is no field, too many, or a name twice */
    public SampleSchema {
        fields = List.copyOf(fields);
        if (fields.isEmpty() || fields.size() > MAX_FIELDS) {
            throw new ConfigException("a sample has 1 to " + MAX_FIELDS + " fields, not " + fields.size());
        }
        Set<String> names = new HashSet<>();
        for (Field field : fields) {
            if (!names.add(field.name())) {
                throw new ConfigException("field '" + field.name() + "' is listed twice in the schema");
            }
        }
    }

    public List<String> names() {
        return fields.stream().map(Field::name).toList();
    }

    public Optional<Field> find(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }

    /** @throws ConfigException if the field is unknown; the message names the nearest */
    public Field field(String name) {
        return find(name)
                .orElseThrow(() -> new ConfigException("no field '" + name + "'" + Suggestion.hint(name, names())));
    }
}
