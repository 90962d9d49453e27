package io.rankfeed.export.petastorm;

import java.util.List;
import java.util.Set;

/** A Petastorm schema: its name and its fields, in order. */
public record Unischema(String name, List<UnischemaField> fields) {
    public Unischema {
        fields = List.copyOf(fields);
    }

    /** The names of the fields, in order. */
    public List<String> fieldNames() {
        return fields.stream().map(UnischemaField::name).toList();
    }

    /** The fields that a row must have and that are not among these columns. */
    public List<String> missingFrom(Set<String> columns) {
        return fields.stream()
                .filter(field -> !field.nullable() && !columns.contains(field.name()))
                .map(UnischemaField::name)
                .toList();
    }
}
