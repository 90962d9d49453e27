package io.rankfeed.importing.select;

import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The value of each sample in one column of strata. */
public interface Strata {
    /** The word for strata by folders. */
    String FOLDER = "folder";

    /** The name of the column. */
    String column();

    /** @throws ConfigException if the sample has no value */
    String value(int part, long row);

    /**
     * The strata that a user names.
     *
     * @param words {@code folder}, the path of a JSON file, or the name of a column
     * @throws ConfigException if they do not exist
     */
    static Strata of(String words, DatasetIndex index, DatasetRoot root, SampleAddresses addresses) {
        if (words.equals(FOLDER)) {
            return ofFolders(index);
        }
        return words.endsWith(".json")
                ? StrataFile.read(Path.of(words), index, addresses)
                : ofColumn(index, root, words);
    }

    /** The folder that the sample's part is in. */
    static Strata ofFolders(DatasetIndex index) {
        return of(FOLDER, (part, row) -> {
            String folder = index.parts().get(part).folder();
            if (folder.isEmpty()) {
                throw new ConfigException(index.parts().get(part).files().get(0)
                        + " is not in a folder; move it into one, or choose other strata");
            }
            return folder;
        });
    }

    /**
     * A column of integers, booleans or short texts.
     *
     * @throws ConfigException if the column is unknown, or is of another type
     */
    static Strata ofColumn(DatasetIndex index, DatasetRoot root, String name) {
        Field field = index.schema().field(name);
        if (field.dtype() == DType.STRING && field.shape().rank() == 0) {
            TextStrata texts = new TextStrata(index, root, name);
            return of(name, texts::value);
        }
        boolean isCounted = field.shape().rank() == 0
                && !field.dtype().isBytes()
                && !field.dtype().id().contains("float");
        if (!isCounted) {
            throw new ConfigException(
                    "column '" + name + "' is " + field.dtype().id() + " " + field.shape()
                            + "; choose a column of integers, booleans or texts, folders, or a JSON file for strata");
        }
        List<List<Values.Numbers>> values = new ArrayList<>();
        for (IndexedPart part : index.indexed()) {
            values.add(part.columns().stream()
                    .filter(column -> column.name().equals(name))
                    .map(IndexedColumn::values)
                    .map(Values.Numbers.class::cast)
                    .toList());
        }
        return of(name, (part, row) -> {
            List<Values.Numbers> numbers = values.get(part);
            if (numbers.isEmpty() || numbers.get(0).isMissing(row)) {
                throw new ConfigException("sample " + row + " of "
                        + index.parts().get(part).files().get(0) + " has no value in column '" + name
                        + "', which strata require; choose another column");
            }
            return text(field.dtype(), numbers.get(0).bits(row));
        });
    }

    private static String text(DType dtype, long bits) {
        if (dtype == DType.BOOL) {
            return Boolean.toString(bits != 0);
        }
        return dtype.id().startsWith("u")
                ? Long.toUnsignedString(widened(dtype, bits))
                : Long.toString(widened(dtype, bits));
    }

    /** The integer that the low bits are, as many as its type is wide. */
    static long widened(DType dtype, long bits) {
        int unused = Long.SIZE - 8 * dtype.sizeBytes();
        return dtype.id().startsWith("u") ? bits << unused >>> unused : bits << unused >> unused;
    }

    /**
     * Values by the names that samples have in their source: their keys, or the paths of their own files.
     *
     * @param byKey by name
     * @param file that states them, for messages
     */
    static Strata ofKeys(DatasetIndex index, String column, Map<String, String> byKey, String file) {
        return of(column, (part, row) -> {
            String key = key(index, part, (int) row)
                    .orElseThrow(() -> new ConfigException("samples of the format " + index.format()
                            + " have no names, which " + file
                            + " has; write a list with a stratum for each sample, or choose a column or folders"));
            String value = byKey.get(key);
            if (value == null) {
                throw new ConfigException(file + " has no stratum for the sample '" + key + "'; add it");
            }
            return value;
        });
    }

    private static Optional<String> key(DatasetIndex index, int part, int row) {
        IndexedPart indexed = index.indexed().get(part);
        if (indexed.hasFilePerRow()) {
            return Optional.of(index.parts().get(part).files().get(row));
        }
        return indexed.keys().isEmpty()
                ? Optional.empty()
                : Optional.of(indexed.keys().get(row));
    }

    /**
     * Values in the order of the samples, with those that are damaged.
     *
     * @param file that states them, for messages
     * @throws ConfigException if there are more or fewer than samples
     */
    static Strata ofList(SampleAddresses addresses, String column, List<String> values, String file) {
        if (values.size() != addresses.samples()) {
            throw new ConfigException(file + " has " + values.size() + " strata for " + addresses.samples()
                    + " samples; list one for each, also for damaged ones, in the order of sorted paths");
        }
        return of(column, (part, row) -> values.get(addresses.sample(part, row)));
    }

    /** Finds the value of a sample. */
    interface Lookup {
        String value(int part, long row);
    }

    private static Strata of(String column, Lookup lookup) {
        return new Strata() {
            @Override
            public String column() {
                return column;
            }

            @Override
            public String value(int part, long row) {
                return lookup.value(part, row);
            }
        };
    }
}
