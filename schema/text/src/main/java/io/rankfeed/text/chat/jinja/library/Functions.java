package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.Function;
import io.rankfeed.text.chat.jinja.value.Namespace;
import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.Range;
import io.rankfeed.text.chat.jinja.value.Run;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Values;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The functions of every template. */
public final class Functions {
    private static final Parameters FORMAT = new Parameters("strftime_now()", "format");
    private static final Parameters MESSAGE = new Parameters("raise_exception()", "message");
    private static final Map<Character, String> DATE_PARTS = Map.ofEntries(
            Map.entry('Y', "yyyy"),
            Map.entry('y', "yy"),
            Map.entry('m', "MM"),
            Map.entry('d', "dd"),
            Map.entry('j', "DDD"),
            Map.entry('B', "MMMM"),
            Map.entry('b', "MMM"),
            Map.entry('A', "EEEE"),
            Map.entry('a', "EEE"),
            Map.entry('H', "'00'"),
            Map.entry('M', "'00'"),
            Map.entry('S', "'00'"),
            Map.entry('I', "'12'"),
            Map.entry('p', "'AM'"));

    public static final Map<String, Object> ALL = Map.of(
            "range",
            (Function) Functions::range,
            "dict",
            (Function) Functions::dict,
            "namespace",
            (Function) Functions::namespace,
            "raise_exception",
            (Function) Functions::refuse,
            "cycler",
            unsupported("cycler()"),
            "joiner",
            unsupported("joiner()"),
            "lipsum",
            unsupported("lipsum()"),
            "strftime_now",
            unsupported("strftime_now() without a date"));

    private Functions() {}

    private static Function unsupported(String what) {
        return (arguments, run) -> {
            throw TemplateError.unsupported(what);
        };
    }

    /** {@code strftime_now}, at midnight of a fixed day. */
    public static Function dateFunction(LocalDate date) {
        return (arguments, run) -> {
            String format = FORMAT.bind(arguments, run).text("format").toString();
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < format.length(); i++) {
                char c = format.charAt(i);
                if (c != '%') {
                    out.append(c);
                } else if (format.startsWith("%%", i)) {
                    out.append('%');
                    i++;
                } else {
                    String part = i + 1 < format.length() ? DATE_PARTS.get(format.charAt(++i)) : null;
                    if (part == null) {
                        throw TemplateError.unsupported("the date format '" + format + "'");
                    }
                    run.budget().steps(100);
                    out.append(DateTimeFormatter.ofPattern(part, Locale.ENGLISH).format(date));
                }
            }
            return Text.of(out.toString());
        };
    }

    private static Object namespace(Arguments arguments, Run run) {
        Namespace space = new Namespace();
        Dict given = dict(arguments, run);
        for (Dict.Entry entry : given.entries()) {
            if (!(entry.key() instanceof Text name)) {
                throw TemplateError.unsupported("a namespace with keys that are not texts");
            }
            space.set(name.toString(), entry.value());
        }
        return space;
    }

    private static Object refuse(Arguments arguments, Run run) {
        throw TemplateError.refusal(
                MESSAGE.bind(arguments, run).string("message").toString());
    }

    private static Object range(Arguments arguments, Run run) {
        List<Object> given = arguments.positional();
        if (!arguments.named().isEmpty() || given.isEmpty() || given.size() > 3) {
            throw TemplateError.of("range() takes 1 to 3 integers");
        }
        long first = bound(given.get(0));
        return given.size() == 1
                ? new Range(0, first, 1)
                : new Range(first, bound(given.get(1)), given.size() == 3 ? bound(given.get(2)) : 1);
    }

    private static long bound(Object value) {
        Values.requireDefined(value);
        int bound = Numbers.index(value);
        if (Math.abs((long) bound) == Integer.MAX_VALUE) {
            throw TemplateError.unsupported("a range of large numbers");
        }
        return bound;
    }

    /** {@code dict(mapping or pairs, name=value…)}. */
    public static Dict dict(Arguments arguments, Run run) {
        if (arguments.positional().size() > 1) {
            throw TemplateError.of("dict() takes at most one argument without a name");
        }
        Dict dict = new Dict();
        for (Object given : arguments.positional()) {
            Values.requireDefined(given);
            if (given instanceof Dict other) {
                run.budget().elements(4L * other.size());
                other.entries().forEach(entry -> dict.put(entry.key(), entry.value()));
            } else {
                Iterator<Object> pairs = Values.items(given, run.budget());
                while (pairs.hasNext()) {
                    List<Object> pair = Values.list(pairs.next(), run.budget());
                    if (pair.size() != 2) {
                        throw TemplateError.of("dict() requires pairs of a key and a value");
                    }
                    dict.put(pair.get(0), pair.get(1));
                }
            }
        }
        arguments.named().forEach((name, value) -> dict.put(Text.of(name), value));
        return dict;
    }
}
