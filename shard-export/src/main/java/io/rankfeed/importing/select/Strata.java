package io.rankfeed.importing.select;

import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The value of each sample in one column of strata. */
public interface Strata {
    /** The name of the column. */
    String column();

    /** @throws ConfigException if the sample has no value */
    String value(int part, long row);

    /** The folder that the sample's part is in. */
    static Strata ofFolders(DatasetIndex index) {
        return of("folder", (part, row) -> {
            String folder = index.parts().get(part).folder();
            if (folder.isEmpty()) {
                throw new ConfigException(index.parts().get(part).files().get(0)
                        + " is not in a folder; move it into one, or choose other strata");
            }
            return folder;
        });
    }

    /**
     * A column of integers or booleans.
     *
     * @throws ConfigException if the column is unknown, or is of another type
     */
    static Strata ofColumn(DatasetIndex index, String name) {
        Field field = index.schema().field(name);
        boolean isCounted = field.shape().rank() == 0
                && !field.dtype().isBytes()
                && !field.dtype().id().contains("float");
        if (!isCounted) {
            throw new ConfigException(
                    "column '" + name + "' is " + field.dtype().id() + " " + field.shape()
                            + "; choose a column of integers or booleans, folders, or a JSON file for strata");
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
        int unused = Long.SIZE - 8 * dtype.sizeBytes();
        if (dtype == DType.BOOL) {
            return Boolean.toString(bits != 0);
        } else if (dtype.id().startsWith("u")) {
            return Long.toUnsignedString(bits << unused >>> unused);
        }
        return Long.toString(bits << unused >> unused);
    }

    /**
     * Values by the names that samples have in their source.
     *
     * @param byKey by name
     * @param file that states them, for messages
     */
    static Strata ofKeys(DatasetIndex index, String column, Map<String, String> byKey, String file) {
        return of(column, (part, row) -> {
            List<String> keys = index.indexed().get(part).keys();
            if (keys.isEmpty()) {
                throw new ConfigException("samples of the format " + index.format() + " have no names, which " + file
                        + " requires; choose a column or folders for strata");
            }
            String value = byKey.get(keys.get((int) row));
            if (value == null) {
                throw new ConfigException(
                        file + " has no stratum for the sample '" + keys.get((int) row) + "'; add it");
            }
            return value;
        });
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
