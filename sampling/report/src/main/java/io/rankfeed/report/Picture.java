package io.rankfeed.report;

import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A drawing of rectangles, lines and texts, in pixels from the upper left corner, that becomes an SVG. */
public final class Picture {
    /** The position of a text relative to its point. */
    public enum Anchor {
        START("start"),
        MIDDLE("middle"),
        END("end");

        private final String svg;

        Anchor(String svg) {
            this.svg = svg;
        }
    }

    public record Point(double x, double y) {}

    /** The color of lines that have no color of their own: black, or the text color on an HTML page. */
    static final int INK = 0x000000;

    private static final int FONT_PIXELS = 12;

    private sealed interface Shape {}

    private record Rectangle(double x, double y, double width, double height, int color, String title)
            implements Shape {}

    private record Line(List<Point> points, int color, double width) implements Shape {}

    private record Text(double x, double y, String text, Anchor anchor) implements Shape {}

    private final int width;
    private final int height;
    private final List<Shape> shapes = new ArrayList<>();

    public Picture(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /**
     * @param color 0xRRGGBB
     * @param title shown where a pointer rests on it; may be empty
     */
    public void rectangle(double x, double y, double width, double height, int color, String title) {
        shapes.add(new Rectangle(x, y, width, height, color, title));
    }

    public void line(List<Point> points, int color, double width) {
        shapes.add(new Line(List.copyOf(points), color, width));
    }

    /** @param y of the base line */
    public void text(double x, double y, String text, Anchor anchor) {
        shapes.add(new Text(x, y, text, anchor));
    }

    /** A file of its own, black on white. */
    public String svg() {
        return svg("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n", "#000000");
    }

    /** Returns an SVG for an HTML page: no background; texts and axes have the page's text color. */
    String inline() {
        return svg("", "currentColor");
    }

    private String svg(String ground, String ink) {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"%d\" fill=\"%s\">\n%s",
                width,
                height,
                width,
                height,
                FONT_PIXELS,
                ink,
                ground));
        shapes.forEach(shape -> svg.append(svg(shape, ink)).append('\n'));
        return svg.append("</svg>\n").toString();
    }

    private static String svg(Shape shape, String ink) {
        if (shape instanceof Rectangle box) {
            String title = box.title().isEmpty() ? "" : "<title>" + escaped(box.title()) + "</title>";
            return String.format(
                    Locale.ROOT,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\">%s</rect>",
                    box.x(),
                    box.y(),
                    box.width(),
                    box.height(),
                    box.color(),
                    title);
        } else if (shape instanceof Line line) {
            String points = line.points().stream()
                    .map(point -> String.format(Locale.ROOT, "%.2f,%.2f", point.x(), point.y()))
                    .collect(Collectors.joining(" "));
            return String.format(
                    Locale.ROOT,
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\"/>",
                    points,
                    line.color() == INK ? ink : String.format(Locale.ROOT, "#%06x", line.color()),
                    line.width());
        }
        Text text = (Text) shape;
        return String.format(
                Locale.ROOT,
                "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">%s</text>",
                text.x(),
                text.y(),
                text.anchor().svg,
                escaped(text.text()));
    }

    /** Escapes text for XML and HTML, between tags and in double quotes, and replaces secrets. Names in it come from data. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        Printable.lines(Redaction.text(text)).codePoints().forEach(c -> {
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isCharacterOfXml(c) ? c : '?');
            }
        });
        return escaped.toString();
    }

    private static boolean isCharacterOfXml(int c) {
        boolean isNone = c == 0xFFFE || c == 0xFFFF;
        return !isNone && Character.getType(c) != Character.SURROGATE;
    }
}
