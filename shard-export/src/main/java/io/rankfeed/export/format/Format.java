package io.rankfeed.export.format;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A format of other libraries. The bytes of its files are a function of the {@linkplain FileSet set} and its rows alone:
 * no times, no names of hosts, no random numbers.
 *
 * <p>Order of the calls: {@link #check}; {@link #survey} over all rows, if the format has one; {@link #open} for each
 * part, in any order and in any process; {@link #finish} once for the set; {@link #finishAll} once for all sets of a
 * root. Implementations have no state.
 */
public interface Format {
    /** The name in {@code export.formats}. */
    String name();

    /** Names of the options that this format has in addition to {@code shard-rows} and {@code shard-bytes}. */
    default Set<String> options() {
        return Set.of();
    }

    /** Whether one task writes all rows of a set, because they are in one file. Otherwise each part has files of its own. */
    boolean onePart();

    /** @throws ConfigException if this format cannot store a column, or the value of an option is unknown */
    void check(FileSet set);

    /** A pass over the rows of each part before the first row is written, or nothing. */
    default Optional<Survey> survey(FileSet set) {
        return Optional.empty();
    }

    FormatWriter open(FileSet set, Part part, PartFiles files) throws IOException;

    /**
     * Writes what describes all parts of a set, such as an index.
     *
     * @param parts the parts in their order
     */
    default void finish(FileSet set, List<PartSummary> parts, PartFiles files) throws IOException {}

    /** Writes what describes all sets of a root. */
    default void finishAll(List<FileSet> sets, PartFiles files) throws IOException {}

    /**
     * The fields of the rows in {@code <split>_metadata.json}, by index: the numbers, unless the format stores others there. A column with
     * the name of the row id is left out.
     */
    default List<Integer> metadataFields(FileSet set) {
        List<Field> fields = set.schema().fields();
        List<Integer> numbers = new ArrayList<>();
        for (int field = 0; field < fields.size(); field++) {
            if (isNumber(fields.get(field)) && !fields.get(field).name().equals(MetadataColumns.ROW_ID)) {
                numbers.add(field);
            }
        }
        return numbers;
    }

    /** The error for a column that a format cannot store. */
    static ConfigException unsupported(String format, Field field, String reason) {
        return new ConfigException("format " + format + " cannot store column '" + field.name() + "' ("
                + field.dtype().id() + " " + field.shape() + (field.nullable() ? ", nullable" : "") + "): " + reason);
    }

    /** The column that an option names. @throws ConfigException if it is unknown; the message names the nearest */
    static Field column(String format, String option, SampleSchema schema, String name) {
        return schema.find(name)
                .orElseThrow(() -> new ConfigException("format " + format + ": " + option + ": unknown column '" + name
                        + "'" + Suggestion.hint(name, schema.names())));
    }

    /** Whether a field has one number per row. */
    static boolean isNumber(Field field) {
        return field.kind() == Field.Kind.FIXED && field.shape().rank() == 0;
    }
}
