package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.preview.TextView.Kind;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.Printable;
import java.util.Map;

/**
 * The tokens of a row as HTML. A token is a {@code span}: its class is its {@link Kind}, {@code data-i} its id, {@code data-l} its
 * labels, {@code data-n} how often it is repeated. Each sequence, and each stretch of padding, is a {@code div}.
 */
final class TextHtml {
    /** An upper bound on the HTML of one token, in bytes. */
    static final int MAX_TOKEN_BYTES = 1 << 10;

    /** The minimum number of equal tokens that are written once, with their number. */
    private static final int SHORTEST_RUN = 4;

    private static final int MAX_CHARS = 64;
    private static final int COLORS = 4;

    private final TokenTexts texts;

    TextHtml(TokenTexts texts) {
        this.texts = texts;
    }

    static void legend(Html out) {
        out.tag("<p class=\"legend\">");
        for (Kind kind : Kind.values()) {
            out.tag("<span class=\"" + kind.style() + "\">")
                    .text(kind.meaning())
                    .tag("</span> ");
        }
        out.tag("</p>\n");
    }

    static void counts(Html out, Map<String, TextView.Counts> columns) {
        out.tag("<table><tr><th>column</th><th>tokens</th><th>trained</th><th>padding</th><th>sequences</th></tr>\n");
        columns.forEach((name, counts) -> {
            out.tag("<tr>").element("th", name);
            out.element("td", Long.toString(counts.tokens()));
            out.element("td", Long.toString(counts.trained()));
            out.element(
                    "td",
                    counts.positions() - counts.tokens() + " of " + Plural.counted(counts.positions(), "position"));
            out.element("td", Long.toString(counts.sequences())).tag("</tr>\n");
        });
        out.tag("</table>\n");
    }

    /** Writes as many tokens as there is room for. */
    void row(Html out, TextView text) {
        out.tag("<div class=\"text\" data-column=\"").text(text.name()).tag("\">");
        out.element("h3", text.name() + (text.isRejected() ? ": rejected, fed without tokens" : ""));
        int begin = 0;
        while (begin < text.positions() && out.hasRoom(MAX_TOKEN_BYTES)) {
            int end = text.end(begin);
            segment(out, text, begin, end);
            begin = end;
        }
        if (begin < text.positions()) {
            out.element("p class=\"cut\"", "positions " + begin + " to " + (text.positions() - 1) + " are not shown");
        }
        out.tag("</div>\n");
    }

    private void segment(Html out, TextView text, int begin, int end) {
        int sequence = text.sequences().applyAsInt(begin);
        boolean isPadding = sequence == TextView.PADDING;
        String style = isPadding ? "pad" : "m" + sequence % COLORS;
        out.tag("<div class=\"sequence " + style + "\" data-sequence=\"" + sequence + "\">");
        StringBuilder head = new StringBuilder(isPadding ? "padding" : "sequence " + sequence);
        head.append(": ").append(Plural.counted(end - begin, isPadding ? "position" : "token"));
        text.marks()
                .forEach((name, values) ->
                        head.append("; ").append(name).append(' ').append(TextView.range(values, begin, end)));
        out.element("p", head.toString()).tag("<p class=\"tokens\">");
        int position = begin;
        while (position < end && out.hasRoom(MAX_TOKEN_BYTES)) {
            int next = position + 1;
            while (next < end && text.repeats(next)) {
                next++;
            }
            int times = next - position < SHORTEST_RUN ? 1 : next - position;
            token(out, text, position, times);
            position += times;
        }
        out.tag("</p>");
        if (position < end) {
            out.element("p class=\"cut\"", "positions " + position + " to " + (end - 1) + " are not shown");
        }
        out.tag("</div>");
    }

    private void token(Html out, TextView text, int position, int times) {
        Kind kind = text.kind(position);
        long id = text.ids().applyAsLong(position);
        out.tag("<span class=\"" + kind.style() + "\" data-i=\"" + id + "\"");
        if (text.labelsPerToken() > 0) {
            out.tag(" data-l=\"" + text.labelsAt(position) + "\"");
        }
        out.tag(times > 1 ? " data-n=\"" + times + "\">" : ">").text(shown(id));
        if (kind == Kind.REPLACED) {
            out.element("sub", shown(text.labels().applyAsLong(position)));
        }
        if (times > 1) {
            out.element("small", " × " + times);
        }
        out.tag("</span>");
    }

    /** The token's text in one line or more, with a mark at the end of each line. */
    private String shown(long id) {
        String shown = texts.of(id).map(Printable::lines).orElse(Long.toString(id));
        return (shown.length() > MAX_CHARS ? shown.substring(0, MAX_CHARS) + "…" : shown).replace("\n", "⏎\n");
    }
}
