package io.rankfeed.spark.chat.jinja.library;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.Budget;
import io.rankfeed.spark.chat.jinja.value.Dict;
import io.rankfeed.spark.chat.jinja.value.Function;
import io.rankfeed.spark.chat.jinja.value.PercentFormat;
import io.rankfeed.spark.chat.jinja.value.PythonStr;
import io.rankfeed.spark.chat.jinja.value.Run;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Text;
import io.rankfeed.spark.chat.jinja.value.Tuple;
import io.rankfeed.spark.chat.jinja.value.Values;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The filters that give texts. */
public final class TextFilters {
    private static final Pattern WORD_BEGINNING = Pattern.compile("[-(\\{\\[<" + PythonStr.SPACE + "]+");

    private TextFilters() {}

    public static Map<String, Function> all() {
        Map<String, Function> all = new HashMap<>();
        all.put("upper", of("upper", "value", (bound, run) -> PythonStr.upper(soft(bound, run))));
        all.put("lower", of("lower", "value", (bound, run) -> PythonStr.lower(soft(bound, run))));
        all.put("capitalize", of("capitalize", "value", (bound, run) -> PythonStr.capitalize(soft(bound, run))));
        all.put("title", of("title", "value", (bound, run) -> title(soft(bound, run))));
        all.put(
                "string",
                of(
                        "string",
                        "value",
                        (bound, run) -> bound.get("value") instanceof Text text
                                ? text
                                : Values.text(bound.get("value"), run.budget())));
        all.put("trim", of("trim", "value chars=None", (bound, run) -> {
            String characters = bound.isNone("chars")
                    ? PythonStr.SPACE
                    : bound.text("chars").toString();
            return PythonStr.strip(soft(bound, run), characters, true, true);
        }));
        all.put(
                "replace",
                of(
                        "replace",
                        "value old new count=None",
                        (bound, run) -> PythonStr.replace(
                                Values.text(bound.get("value"), run.budget()),
                                Values.text(bound.get("old"), run.budget()),
                                Values.text(bound.get("new"), run.budget()),
                                bound.isNone("count") ? -1 : bound.index("count"),
                                run.budget())));
        all.put(
                "indent",
                of("indent", "value width=4 first=False blank=False", (bound, run) -> indent(bound, run.budget())));
        all.put("join", of("join", "value d='' attribute=None", (bound, run) -> {
            Items items = Items.of(bound, run);
            List<Text> parts = items.values(bound.get("attribute")).stream()
                    .map(item -> Values.text(item, run.budget()))
                    .toList();
            return PythonStr.join(Values.text(bound.get("d"), run.budget()), parts, run.budget());
        }));
        all.put("safe", of("safe", "value", (bound, run) -> Values.text(bound.get("value"), run.budget())
                .safe()));
        for (String name : List.of("escape", "e")) {
            all.put(
                    name,
                    of(
                            name,
                            "value",
                            (bound, run) -> bound.get("value") instanceof Text text && text.isSafe()
                                    ? text
                                    : PythonStr.escape(Values.text(bound.get("value"), run.budget()), run.budget())));
        }
        all.put("format", (arguments, run) -> {
            if (arguments.positional().isEmpty()
                    || !(arguments.positional().size() == 1 || arguments.named().isEmpty())) {
                throw TemplateError.of("format takes values with names, or values without");
            }
            Dict named = new Dict();
            arguments.named().forEach((name, value) -> named.put(Text.of(name), value));
            Text format = Values.text(arguments.positional().get(0), run.budget());
            Object values = arguments.named().isEmpty()
                    ? new Tuple(arguments
                            .positional()
                            .subList(1, arguments.positional().size()))
                    : named;
            return PercentFormat.format(format, values, run.budget());
        });
        return all;
    }

    private static Function of(String name, String parameters, Filters.Filter filter) {
        return Filters.filter(name, parameters, filter);
    }

    /** {@code soft_str}: the value, or its text. */
    private static Text soft(Arguments.Bound bound, Run run) {
        if (bound.get("value") instanceof Text text && text.isSafe()) {
            throw TemplateError.unsupported("the filter '" + bound.function() + "' on a safe text");
        }
        return Values.text(bound.get("value"), run.budget());
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

    private static Object indent(Arguments.Bound bound, Budget budget) {
        Text indention = bound.get("width") instanceof Text given
                ? given
                : Text.of(" ".repeat(Math.max(0, Math.min(bound.index("width"), 10_000))));
        Text text = bound.text("value");
        if (text.isSafe()) {
            throw TemplateError.unsupported("the filter 'indent' on a safe text");
        }
        boolean isBlank = bound.isTrue("blank");
        Text.Builder out = new Text.Builder();
        // The newline is Jinja's: without it an empty text has no line.
        List<Object> lines = PythonStr.lines(PythonStr.plus(text, Text.of("\n"), budget));
        for (int i = 0; i < lines.size(); i++) {
            Text line = (Text) lines.get(i);
            budget.allocate(line.length() + indention.length() + 1L);
            boolean isIndented = i == 0 ? bound.isTrue("first") : isBlank || !line.isEmpty();
            out.append(i == 0 ? "" : "\n")
                    .append(isIndented ? indention : Text.EMPTY)
                    .append(line);
        }
        return out.text();
    }
}
