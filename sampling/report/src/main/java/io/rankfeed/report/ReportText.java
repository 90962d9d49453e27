package io.rankfeed.report;

import io.rankfeed.report.Report.Absent;
import io.rankfeed.report.Report.Bytes;
import io.rankfeed.report.Report.Table;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A report as plain text: the answer, or all of it, cut where it would fill screens. JSON has all of it but the answer. */
final class ReportText {
    /** Lines without {@code --verbose}. */
    static final int MAX_ANSWER = 10;

    private static final int SHOWN_ROWS = 40;
    private static final int SHOWN_COLUMNS = 14;

    private ReportText() {}

    static List<String> lines(Report report, boolean isVerbose) {
        List<String> answers = report.answers().stream().map(Printable::line).toList();
        if (!isVerbose && !answers.isEmpty()) {
            return answer(report, answers);
        }
        List<String> lines = new ArrayList<>(answers);
        if (!answers.isEmpty()) {
            lines.add("");
        }
        int width = report.facts().keySet().stream()
                .mapToInt(name -> Page.words(name).length())
                .max()
                .orElse(0);
        report.facts().forEach((name, value) -> {
            String words = Page.words(name);
            lines.add(
                    words + " ".repeat(width - words.length() + 2) + cell(value).strip());
        });
        report.tables().forEach((name, table) -> {
            lines.add("");
            lines.add(Printable.line(Page.words(name)));
            lines.addAll(lines(table));
        });
        if (!report.notes().isEmpty()) {
            lines.add("");
            report.notes().forEach(note -> lines.add(Printable.line(note)));
        }
        return lines;
    }

    private static List<String> answer(Report report, List<String> answers) {
        int space = MAX_ANSWER - 1;
        List<String> lines = new ArrayList<>(answers);
        if (lines.size() > space) {
            lines.subList(space - 1, lines.size()).clear();
            lines.add("… and " + (answers.size() - lines.size()) + " more lines");
        }
        List<String> more = report.tables().keySet().stream()
                .map(name -> Page.words(name).replaceFirst(" (of|by) .*", ""))
                .distinct()
                .toList();
        lines.add("--verbose prints " + (more.isEmpty() ? "more" : Report.listed(more)));
        return lines;
    }

    private static List<String> lines(Table table) {
        int columns = Math.min(SHOWN_COLUMNS, table.columns().size());
        int rows = Math.min(SHOWN_ROWS, table.rows().size());
        List<List<String>> cells = new ArrayList<>();
        cells.add(IntStream.range(0, columns)
                .mapToObj(column -> Printable.line(table.heading(column)))
                .toList());
        table.rows()
                .subList(0, rows)
                .forEach(row -> cells.add(
                        row.subList(0, columns).stream().map(ReportText::cell).toList()));
        List<String> lines = new ArrayList<>();
        for (List<String> line : cells) {
            StringBuilder text = new StringBuilder(" ");
            for (int column = 0; column < columns; column++) {
                String padding =
                        " ".repeat(width(cells, column) - line.get(column).length());
                boolean number = rows > 0 && isNumber(table, column);
                text.append(' ')
                        .append(number ? padding : "")
                        .append(line.get(column))
                        .append(number ? "" : padding);
            }
            lines.add(text.toString().stripTrailing());
        }
        if (rows < table.rows().size()) {
            lines.add("  … and " + (table.rows().size() - rows) + " more (--json has all)");
        }
        if (columns < table.columns().size()) {
            lines.add(
                    "  … and " + Plural.counted(table.columns().size() - columns, "column") + " more (--json has all)");
        }
        return lines;
    }

    private static boolean isNumber(Table table, int column) {
        return table.rows().stream()
                .map(row -> row.get(column))
                .allMatch(value -> value instanceof Number || value instanceof Bytes || value instanceof Absent);
    }

    private static int width(List<List<String>> cells, int column) {
        return 1
                + cells.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0);
    }

    /** A value for users. */
    static String cell(Object value) {
        if (value instanceof Bytes bytes) {
            return ByteSize.rounded(bytes.count());
        } else if (value instanceof Double fraction) {
            return String.format(Locale.ROOT, "%.3f", fraction);
        } else if (value instanceof List<?> list) {
            return Printable.line(list.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        } else if (value instanceof Absent) {
            return "-";
        }
        return Printable.line(value.toString());
    }
}
