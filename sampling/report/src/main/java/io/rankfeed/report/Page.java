package io.rankfeed.report;

import io.rankfeed.report.Report.Absent;
import io.rankfeed.report.Report.Bytes;
import io.rankfeed.report.Report.Table;
import io.rankfeed.schema.config.Plural;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * An HTML page that is self-contained: styles and pictures are in it, it asks for nothing elsewhere and runs nothing. Whatever
 * comes in as text is escaped here, and nowhere else.
 */
public final class Page {
    private static final int SHOWN_ROWS = 200;
    private static final int SHOWN_COLUMNS = 24;

    private final StringBuilder html = new StringBuilder();

    public Page(String title) {
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\""
                        + " content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        element("title", "", title);
        html.append("<style>\n").append(style()).append("</style>\n</head>\n<body>\n<main>\n");
    }

    /** @param style a class of report.css, or nothing */
    public Page element(String tag, String style, String text) {
        begin(tag, style);
        html.append(Picture.escaped(text));
        return end(tag);
    }

    public Page begin(String tag, String style) {
        html.append('<').append(tag);
        if (!style.isEmpty()) {
            html.append(" class=\"").append(style).append('"');
        }
        html.append('>');
        return this;
    }

    public Page end(String tag) {
        html.append("</").append(tag).append(">\n");
        return this;
    }

    public Page picture(Picture picture) {
        begin("figure", "");
        html.append(picture.inline());
        return end("figure");
    }

    public Page facts(Map<String, Object> facts) {
        begin("dl", "");
        facts.forEach((name, value) -> element("dt", "", words(name)).element("dd", "", shown(value)));
        return end("dl");
    }

    /** Columns of numbers to the right; cut where it would fill screens. */
    public Page table(Table table) {
        int columns = Math.min(SHOWN_COLUMNS, table.columns().size());
        List<List<Object>> rows =
                table.rows().subList(0, Math.min(SHOWN_ROWS, table.rows().size()));
        begin("div", "wide").begin("table", "").begin("tr", "");
        for (int column = 0; column < columns; column++) {
            element("th", style(rows, column), table.heading(column));
        }
        end("tr");
        for (List<Object> row : rows) {
            begin("tr", "");
            for (int column = 0; column < columns; column++) {
                cell(row.get(column), style(rows, column));
            }
            end("tr");
        }
        end("table").end("div");
        if (rows.size() < table.rows().size() || columns < table.columns().size()) {
            element(
                    "p",
                    "soft",
                    "Shown: " + rows.size() + " of "
                            + Plural.counted(table.rows().size(), "line") + ", " + columns + " of "
                            + Plural.counted(table.columns().size(), "column") + "; rankfeed inspect --json has all.");
        }
        return this;
    }

    /** A bar in a table, as a part of the longest one. */
    public record Bar(double part) {}

    public byte[] bytes() {
        return (html + "</main>\n</body>\n</html>\n").getBytes(StandardCharsets.UTF_8);
    }

    private void cell(Object value, String style) {
        if (value instanceof Bar bar) {
            html.append(String.format(
                    Locale.ROOT,
                    "<td class=\"bar\"><span style=\"width:%.1f%%\"></span></td>%n",
                    100 * Math.max(0, Math.min(1, bar.part()))));
        } else {
            element("td", style, shown(value));
        }
    }

    private static String style(List<List<Object>> rows, int column) {
        boolean number = !rows.isEmpty()
                && rows.stream()
                        .map(row -> row.get(column))
                        .allMatch(
                                value -> value instanceof Number || value instanceof Bytes || value instanceof Absent);
        return number ? "number" : "";
    }

    private static String shown(Object value) {
        return value instanceof Long count ? String.format(Locale.ROOT, "%,d", count) : ReportText.cell(value);
    }

    /** A name of JSON as words: "rowsPerGroup" is "rows per group". */
    public static String words(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    private static String style() {
        try (InputStream css = Objects.requireNonNull(Page.class.getResourceAsStream("report.css"))) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
