package io.rankfeed.importing.index;

import io.rankfeed.importing.index.ForeignDataset.Part;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.mixture.ReservedNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The columns that the parts of a dataset have together, in the order in which parts name them.
 *
 * @param schema a field is nullable if a sample has no value
 * @param maxLengths by column of variable length, the most elements or bytes of a whole sample
 * @param files by column, the index of its file in each part
 */
public record MergedColumns(SampleSchema schema, Map<String, Long> maxLengths, Map<String, Integer> files) {
    public MergedColumns {
        maxLengths = Map.copyOf(maxLengths);
        files = Map.copyOf(files);
    }

    static MergedColumns of(List<Part> parts, List<IndexedPart> indexed, Set<String> names, DatasetRoot root) {
        requireFed(indexed, names, root);
        Map<String, Field> fields = new LinkedHashMap<>();
        Map<String, Long> maxLengths = new HashMap<>();
        Map<String, Integer> files = new HashMap<>();
        Map<String, String> firstFile = new HashMap<>();
        for (int p = 0; p < parts.size(); p++) {
            String shown = root.shown(parts.get(p).files().get(0));
            for (IndexedColumn column : indexed.get(p).columns()) {
                if (!names.isEmpty() && !names.contains(column.name())) {
                    continue;
                }
                Field field = column.field();
                Field before = fields.getOrDefault(field.name(), field);
                requireSame(before, firstFile.computeIfAbsent(field.name(), name -> shown), field, shown);
                requireFile(files, column, shown);
                fields.put(field.name(), before.nullable() ? before : field);
                if (field.kind() != Field.Kind.FIXED) {
                    maxLengths.merge(field.name(), longest(column, indexed.get(p), shown), Math::max);
                }
            }
        }
        return new MergedColumns(new SampleSchema(nullable(fields, indexed)), maxLengths, files);
    }

    private static void requireSame(Field one, String first, Field two, String other) {
        if (one.dtype() != two.dtype() || !one.shape().equals(two.shape())) {
            throw new ConfigException(
                    "column '" + one.name() + "' is " + one.dtype().id() + " " + one.shape() + " in "
                            + first + " and " + two.dtype().id() + " " + two.shape() + " in " + other
                            + "; all parts need one type: leave the column out with --columns, or write the files again");
        }
    }

    private static void requireFile(Map<String, Integer> files, IndexedColumn column, String shown) {
        Integer before = files.putIfAbsent(column.name(), column.file());
        if (before != null && before != column.file()) {
            throw new ConfigException(shown
                    + ": its folder has other columns than the folders before it; all folders need the same files");
        }
    }

    private static List<Field> nullable(Map<String, Field> fields, List<IndexedPart> indexed) {
        List<Field> merged = new ArrayList<>();
        for (Field field : fields.values()) {
            boolean isLacking = indexed.stream()
                    .anyMatch(part -> part.rows() > 0
                            && part.columns().stream()
                                    .noneMatch(column -> column.name().equals(field.name())));
            merged.add(new Field(field.name(), field.dtype(), field.shape(), field.nullable() || isLacking));
        }
        return merged;
    }

    private static long longest(IndexedColumn column, IndexedPart part, String shown) {
        Values.Located values = (Values.Located) column.values();
        long longest = 0;
        for (long row = 0; row < part.rows(); row++) {
            if (!part.damages().isDamaged(row)) {
                longest = Math.max(longest, values.length(row));
            }
        }
        if (longest > Integer.MAX_VALUE) {
            throw new ConfigException(shown + " has a value of " + longest + " bytes in column '" + column.name()
                    + "'; at most 2 GiB can be fed, leave the column out");
        }
        // Elements, as in a manifest: a step along the first dimension may have several.
        return longest / column.dtype().sizeBytes();
    }

    private static void requireFed(List<IndexedPart> indexed, Set<String> names, DatasetRoot root) {
        Map<String, String> refused = new TreeMap<>();
        indexed.forEach(part -> part.refused().forEach(refused::putIfAbsent));
        Set<String> known = new HashSet<>();
        indexed.stream()
                .flatMap(part -> part.columns().stream())
                .map(IndexedColumn::name)
                .forEach(name -> ReservedNames.fault(name)
                        .ifPresentOrElse(fault -> refused.putIfAbsent(name, fault), () -> known.add(name)));
        for (String name : names) {
            if (!known.contains(name) && !refused.containsKey(name)) {
                throw new ConfigException("no column '" + name + "'"
                        + Suggestion.hint(name, known.stream().sorted().toList()));
            }
        }
        if (!names.isEmpty()) {
            refused.keySet().retainAll(names);
        }
        if (!refused.isEmpty()) {
            throw new ConfigException("columns that cannot be fed: "
                    + refused.entrySet().stream()
                            .map(column -> "'" + column.getKey() + "': " + column.getValue())
                            .collect(Collectors.joining("; "))
                    + "; choose others with --columns: "
                    + known.stream().sorted().collect(Collectors.joining(",")));
        } else if (known.isEmpty()) {
            indexed.stream()
                    .flatMap(part -> part.damages().named().stream())
                    .findFirst()
                    .ifPresent(first -> {
                        throw new CorruptDataException(
                                root.shown(first.file()),
                                first.offset(),
                                first.what() + "; no sample is whole, write the files again");
                    });
            throw new ConfigException("the dataset has no samples; give a folder that has some");
        }
    }
}
