package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.PercentFormat;
import io.rankfeed.text.chat.jinja.value.PythonStr;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Tuple;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The filters that give texts. */
final class TextFilters {
    private static final Pattern WORD_BEGINNING = Pattern.compile("[-(\\{\\[<" + PythonStr.SPACE + "]+");

    private TextFilters() {}

    static void addTo(Registry filters) {
        filters.add("upper", "value", bound -> PythonStr.upper(soft(bound)));
        filters.add("lower", "value", bound -> PythonStr.lower(soft(bound)));
        filters.add("capitalize", "value", bound -> PythonStr.capitalize(soft(bound)));
        filters.add("title", "value", bound -> title(soft(bound)));
        filters.add("string", "value", bound -> bound.value() instanceof Text text ? text : bound.string("value"));
        filters.add(
                "trim", "value chars=None", bound -> PythonStr.strip(soft(bound), Methods.stripped(bound), true, true));
        filters.add(
                "replace",
                "value old new count=None",
                bound -> PythonStr.replace(
                        bound.string("value"),
                        bound.string("old"),
                        bound.string("new"),
                        bound.isNone("count") ? -1 : bound.index("count", Long.SIZE),
                        bound.budget()));
        filters.add("indent", "value width=4 first=False blank=False", TextFilters::indent);
        filters.add("join", "value d='' attribute=None", bound -> {
            List<Text> parts = Key.values(bound).stream()
                    .map(item -> Values.text(item, bound.budget()))
                    .toList();
            return PythonStr.join(bound.string("d"), parts, bound.budget());
        });
        filters.add("safe", "value", bound -> bound.string("value").safe());
        filters.add(
                "escape e",
                "value",
                bound -> bound.value() instanceof Text text && text.isSafe()
                        ? text
                        : PythonStr.escape(bound.string("value"), bound.budget()));
        filters.put("format", (arguments, run) -> {
            List<Object> positional = arguments.positional();
            if (positional.isEmpty()
                    || !(positional.size() == 1 || arguments.named().isEmpty())) {
                throw TemplateError.of(
                        "the filter 'format' takes arguments with names, or arguments without, but not both");
            }
            Dict named = new Dict();
            arguments.named().forEach((name, value) -> named.put(Text.of(name), value));
            Object values = named.size() == 0 ? new Tuple(arguments.from(1).positional()) : named;
            return PercentFormat.format(Values.text(positional.get(0), run.budget()), values, run.budget());
        });
    }

    /** {@code soft_str}: the value, or its text. */
    private static Text soft(Arguments.Bound bound) {
        if (bound.value() instanceof Text text && text.isSafe()) {
            throw TemplateError.unsupported(bound.function() + " of a safe text");
        }
        return bound.string("value");
    }

    /** Capital after whitespace, hyphens and opening brackets; all else is lower. */
    private static Text title(Text text) {
        StringBuilder out = new StringBuilder();
        Matcher matcher = WORD_BEGINNING.matcher(text.toString());
        int begin = 0;
        while (begin < text.length()) {
            boolean isFound = matcher.find(begin);
            int end = isFound ? matcher.start() : text.length();
            if (end > begin) {
                Text first = text.slice(
                        begin, begin + Character.charCount(text.toString().codePointAt(begin)));
                Text rest = text.slice(begin + first.length(), end);
                out.append(PythonStr.upper(first)).append(PythonStr.lower(rest));
            }
            begin = isFound ? matcher.end() : end;
            out.append(text.toString(), end, begin);
        }
        return text.replaced(out.toString());
    }

    private static Object indent(Arguments.Bound bound) {
        Text indention = bound.get("width") instanceof Text given
                ? given
                : Text.of(" ".repeat(Math.max(0, Math.min(bound.index("width"), 10_000))));
        // Jinja appends to the value, so that only a text has an indent.
        Text text = bound.text("value").isSafe() ? soft(bound) : bound.text("value");
        boolean isBlank = bound.isTrue("blank");
        Text.Builder out = new Text.Builder();
        // The newline is Jinja's: without it an empty text has no line.
        List<Object> lines = PythonStr.lines(PythonStr.plus(text, Text.of("\n"), bound.budget()));
        for (int i = 0; i < lines.size(); i++) {
            Text line = (Text) lines.get(i);
            bound.budget().allocate(line.length() + indention.length() + 1L);
            boolean isIndented = i == 0 ? bound.isTrue("first") : isBlank || !line.isEmpty();
            out.append(i == 0 ? "" : "\n")
                    .append(isIndented ? indention : Text.EMPTY)
                    .append(line);
        }
        return out.text();
    }
}
