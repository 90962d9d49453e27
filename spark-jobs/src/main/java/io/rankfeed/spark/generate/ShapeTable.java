package io.rankfeed.spark.generate;

import io.rankfeed.spark.generate.CodeContestsShape.Count;
import io.rankfeed.spark.generate.CodeContestsShape.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A set's counts for users: one line per split. */
final class ShapeTable {
    private ShapeTable() {}

    static List<String> lines(CodeContestsShape shape) {
        List<String> lines = new ArrayList<>();
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-6s %9s %9s", "split", "rows", "correct"));
        for (Count count : shape.splits().get(0).difficulties()) {
            head.append(String.format(Locale.ROOT, " %9s", "diff " + count.difficulty()));
        }
        lines.add(head.toString());
        for (Split split : shape.splits()) {
            StringBuilder line = new StringBuilder(
                    String.format(Locale.ROOT, "%-6s %9d %9d", split.name(), split.rows(), split.correct()));
            split.difficulties().forEach(count -> line.append(String.format(Locale.ROOT, " %9d", count.rows())));
            lines.add(line.toString());
        }
        return lines;
    }
}
