package io.rankfeed.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Cells as lines for users: columns aligned to the right, two blanks before each. */
public final class TextTable {
    private TextTable() {}

    /** @param rows at least one, all of the same number of cells */
    public static List<String> lines(List<List<String>> rows) {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(i ->
                        rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, widths.length)
                        .mapToObj(i -> "  " + " ".repeat(widths[i] - row.get(i).length()) + row.get(i))
                        .collect(Collectors.joining()))
                .toList();
    }
}
