package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A list of labels, which {@code rf_label} gives numbers.
 *
 * @param from the source whose rows have them
 * @param column a column of it, or a SQL expression
 * @param after id of an earlier prepared table of the dataset, whose labels keep their numbers
 */
public record LabelsSection(String from, String column, Optional<String> after) {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    public LabelsSection {
        if (after.isPresent() && !ID.matcher(after.get()).matches()) {
            throw new BadValue(
                    "after", "'" + after.get() + "' is not an id of a prepared table, 16 hexadecimal digits");
        }
    }

    /** The SQL query that gives the label of each row, in the column {@code label}. */
    public String query() {
        return "SELECT CAST(" + column + " AS STRING) AS label FROM `" + from + "`";
    }
}
