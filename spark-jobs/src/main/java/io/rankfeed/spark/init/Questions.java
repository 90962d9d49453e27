package io.rankfeed.spark.init;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Asks a user for what a profile leaves open. An empty answer takes what was found.
 *
 * @param ask gives the answer to a question; nothing where the input has ended
 */
public record Questions(Function<String, Optional<String>> ask) {
    /** Asks nothing. */
    public static final Questions NONE = new Questions(question -> Optional.empty());

    TableProfile of(TableProfile found, Dataset<Row> table) {
        TableProfile profile = key(found, table);
        if (profile.split().isEmpty()) {
            return profile;
        }
        String answer = answer("Does column '" + profile.split() + "' say which rows train (" + profile.splits()
                        + ")? [yes]: ")
                .toLowerCase(Locale.ROOT);
        return answer.startsWith("n") ? profile.withoutSplit() : profile;
    }

    private TableProfile key(TableProfile found, Dataset<Row> table) {
        List<String> names = found.columns().stream().map(ColumnProfile::name).toList();
        String question = "Which columns identify a row, separated by commas? "
                + (found.key().isEmpty() ? "[none]" : found.key()) + ": ";
        while (true) {
            String answer = answer(question);
            List<String> chosen = Arrays.stream(answer.split(",", -1))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .toList();
            if (chosen.isEmpty()) {
                return found;
            } else if (!names.containsAll(chosen)) {
                question = "The columns are " + String.join(", ", names) + ". Which identify a row? ";
            } else if (!found.isKey(table, chosen)) {
                question = "Some rows have the same " + String.join(", ", chosen) + ". Which columns identify a row? ";
            } else {
                return found.withKey(chosen);
            }
        }
    }

    private String answer(String question) {
        return ask.apply(question).orElse("").strip();
    }
}
