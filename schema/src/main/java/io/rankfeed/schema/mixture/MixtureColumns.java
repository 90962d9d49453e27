package io.rankfeed.schema.mixture;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.manifest.Manifest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The columns of members as one schema: by name, with equal dtype and shape (docs/format/plan.md, section 11.5). A column is nullable
 * if it is nullable in a member.
 *
 * @param schema the columns of the first member, then those that a later one adds
 * @param maxLengths as those of a manifest: the largest of the members
 * @param maxItems as those of a manifest
 * @param fill by column that some member lacks, its value there
 */
public record MixtureColumns(
        SampleSchema schema, Map<String, Long> maxLengths, Map<String, Long> maxItems, Map<String, FillValue> fill) {
    /** The name of the column of member numbers (int32), which the rows of mixtures have. */
    public static final String MEMBER = "_member";

    public MixtureColumns {
        maxLengths = Map.copyOf(maxLengths);
        maxItems = Map.copyOf(maxItems);
        fill = new TreeMap<>(fill);
    }

    /**
     * @param members the version of each member
     * @param fill by column the elements of its value, as {@link FillValue} has them
     * @throws ConfigException if columns differ, a member lacks one that has no value in {@code fill}, or one is named {@value #MEMBER}
     */
    public static MixtureColumns of(SortedMap<String, Manifest.Version> members, Map<String, List<String>> fill) {
        Map<String, Field> fields = new LinkedHashMap<>();
        Map<String, String> firsts = new LinkedHashMap<>();
        members.forEach((member, version) -> version.schema().fields().forEach(field -> {
            if (field.name().equals(MEMBER)) {
                throw new ConfigException("column '" + MEMBER + "' of member '" + member
                        + "' has the name of the column of member numbers; rename it in the job and export again");
            }
            String first = firsts.getOrDefault(field.name(), member);
            firsts.put(field.name(), first);
            fields.merge(field.name(), field, (known, other) -> unified(known, first, other, member));
        }));
        Map<String, FillValue> values = new TreeMap<>();
        Map<String, Long> lengths = new TreeMap<>();
        Map<String, Long> items = new TreeMap<>();
        members.values().forEach(version -> {
            version.maxLengths().forEach((column, length) -> lengths.merge(column, length, Math::max));
            version.maxItems().forEach((column, count) -> items.merge(column, count, Math::max));
        });
        fields.forEach((column, field) -> {
            List<String> lacking = members.entrySet().stream()
                    .filter(member -> member.getValue().schema().find(column).isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
            List<String> written = fill.get(column);
            if (lacking.isEmpty()) {
                return;
            } else if (written == null) {
                throw new ConfigException("column '" + column + "' is in member '" + firsts.get(column)
                        + "' and not in member '" + lacking.get(0) + "'; give it a value with fill: {" + column
                        + ": VALUE}, or export the versions with the same columns");
            }
            FillValue value = FillValue.of(field, written);
            values.put(column, value);
            if (field.kind() != Field.Kind.FIXED) {
                lengths.merge(column, value.length(field), Math::max);
            }
            if (field.kind() == Field.Kind.LIST) {
                items.merge(column, (long) value.values().size(), Math::max);
            }
        });
        for (String column : fill.keySet()) {
            if (!fields.containsKey(column)) {
                throw new ConfigException("fill: unknown column '" + column + "'"
                        + Suggestion.hint(column, List.copyOf(fields.keySet())));
            } else if (!values.containsKey(column)) {
                throw new ConfigException("fill: all members have the column '" + column + "'; leave its value out");
            }
        }
        return new MixtureColumns(new SampleSchema(new ArrayList<>(fields.values())), lengths, items, values);
    }

    private static Field unified(Field known, String first, Field other, String member) {
        if (known.dtype() != other.dtype() || !known.shape().equals(other.shape())) {
            throw new ConfigException("column '" + known.name() + "' is "
                    + known.dtype().id() + " " + known.shape()
                    + " in member '" + first + "' and " + other.dtype().id() + " " + other.shape() + " in member '"
                    + member + "'; export one of the versions with the other type, or rename the column");
        }
        return new Field(known.name(), known.dtype(), known.shape(), known.nullable() || other.nullable());
    }
}
