package io.rankfeed.spark.chat.jinja.library;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.Budget;
import io.rankfeed.spark.chat.jinja.value.Dict;
import io.rankfeed.spark.chat.jinja.value.Function;
import io.rankfeed.spark.chat.jinja.value.PythonStr;
import io.rankfeed.spark.chat.jinja.value.Range;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Text;
import io.rankfeed.spark.chat.jinja.value.Tuple;
import io.rankfeed.spark.chat.jinja.value.Undefined;
import io.rankfeed.spark.chat.jinja.value.Values;
import io.rankfeed.spark.chat.jinja.value.View;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The attributes of Python's types that the sandbox permits; null for a name that the type does not have. */
public final class Methods {
    private static final Set<String> MUTATING = Set.of(
            "append",
            "clear",
            "pop",
            "reverse",
            "insert",
            "sort",
            "extend",
            "remove",
            "popitem",
            "setdefault",
            "update");
    private static final Set<String> OF_NUMBERS = Set.of(
            "real",
            "imag",
            "numerator",
            "denominator",
            "conjugate",
            "bit_length",
            "bit_count",
            "to_bytes",
            "from_bytes",
            "as_integer_ratio",
            "is_integer",
            "hex",
            "fromhex");

    /** Methods that no published template calls. */
    private static final Set<String> OTHERS_OF_TEXTS = Set.of("""
            casefold center encode expandtabs format_map isalnum isalpha isascii isdecimal isidentifier islower isnumeric isprintable
            isspace istitle isupper ljust maketrans partition removeprefix removesuffix rjust rpartition rsplit splitlines swapcase
            translate zfill
            """.strip().split("\\s+", -1));

    private Methods() {}

    /** A method with parameters as {@link Arguments#bind} takes them. */
    private interface Method {
        Object of(Arguments.Bound bound, Budget budget);
    }

    private static Function method(String name, String parameters, Method method) {
        return (arguments, run) -> method.of(arguments.bind(name, parameters), run.budget());
    }

    public static @Nullable Object ofNumber(Object number, String name) {
        if (OF_NUMBERS.contains(name)) {
            throw TemplateError.unsupported("'" + name + "' of a " + Values.typeName(number));
        }
        return null;
    }

    public static @Nullable Object ofRange(Range range, String name) {
        return ofList(range, name);
    }

    public static @Nullable Object ofList(List<?> list, String name) {
        return switch (name) {
            case "count" ->
                method(name, "value", (bound, budget) -> list.stream()
                        .filter(item -> Values.isEqual(item, bound.get("value"), budget))
                        .count());
            case "index" ->
                method(name, "value", (bound, budget) -> {
                    for (int i = 0; i < list.size(); i++) {
                        if (Values.isEqual(list.get(i), bound.get("value"), budget)) {
                            return (long) i;
                        }
                    }
                    throw TemplateError.of("index(): the list does not have this value");
                });
            case "copy" ->
                list instanceof Tuple || list instanceof Range
                        ? null
                        : method(name, "", (bound, budget) -> Values.list(list, budget));
            default -> hidden(list, name);
        };
    }

    /** The sandbox forbids methods that change a value: they are undefined, even where a dict has such a key. */
    private static @Nullable Object hidden(Object object, String name) {
        boolean isMutable = object instanceof Dict || !(object instanceof Tuple || object instanceof Range);
        return isMutable && MUTATING.contains(name)
                ? new Undefined("the method '" + name + "', which changes a " + Values.typeName(object) + ",")
                : null;
    }

    public static @Nullable Object ofDict(Dict dict, String name) {
        return switch (name) {
            case "get" ->
                method(name, "key default=None", (bound, budget) -> {
                    Object value = dict.get(bound.get("key"));
                    return value == null ? bound.get("default") : value;
                });
            case "items" -> method(name, "", (bound, budget) -> new View(View.Kind.ITEMS, dict));
            case "keys" -> method(name, "", (bound, budget) -> new View(View.Kind.KEYS, dict));
            case "values" -> method(name, "", (bound, budget) -> new View(View.Kind.VALUES, dict));
            case "copy" ->
                method(name, "", (bound, budget) -> {
                    Dict copy = new Dict();
                    budget.elements(4L * dict.size());
                    dict.entries().forEach(entry -> copy.put(entry.key(), entry.value()));
                    return copy;
                });
            case "fromkeys" -> throw TemplateError.unsupported("'fromkeys' of a dict");
            case "append", "insert", "sort", "extend", "remove", "reverse" -> null;
            default -> hidden(dict, name);
        };
    }

    public static @Nullable Object ofText(Text text, String name) {
        Object found = found(text, name);
        if (found instanceof Function function) {
            return (Function) (arguments, run) -> {
                run.budget().search(text, arguments);
                return function.call(arguments, run);
            };
        }
        return found;
    }

    private static @Nullable Object found(Text text, String name) {
        if (text.isSafe()) {
            throw TemplateError.unsupported("'" + name + "' of a safe text");
        }
        String chars = text.toString();
        return switch (name) {
            case "upper" -> method(name, "", (bound, budget) -> PythonStr.upper(text));
            case "lower" -> method(name, "", (bound, budget) -> PythonStr.lower(text));
            case "title" -> method(name, "", (bound, budget) -> PythonStr.title(text));
            case "capitalize" -> method(name, "", (bound, budget) -> PythonStr.capitalize(text));
            case "strip" -> strip(text, name, true, true);
            case "lstrip" -> strip(text, name, true, false);
            case "rstrip" -> strip(text, name, false, true);
            case "split" -> split(text, name);
            case "startswith", "endswith" ->
                method(name, "prefix start=None end=None", (bound, budget) -> hasEnd(text, name, bound, budget));
            case "replace" ->
                method(
                        name,
                        "old new count=-1",
                        (bound, budget) -> PythonStr.replace(
                                text, bound.text("old"), bound.text("new"), bound.index("count"), budget));
            case "join" ->
                method(name, "parts", (bound, budget) -> {
                    List<Text> parts = Values.list(bound.get("parts"), budget).stream()
                            .map(part -> part instanceof Text one ? one.plain() : wrongPart(part))
                            .toList();
                    return PythonStr.join(text, parts, budget);
                });
            case "find", "rfind", "index", "rindex", "count" ->
                method(name, "part start=None end=None", (bound, budget) -> search(text, name, bound, budget));
            case "isdigit" -> method(name, "", (bound, budget) -> PythonStr.all(chars, PythonStr::isDigit));
            case "format" -> (Function) (arguments, run) -> new BraceFormat(arguments, run.budget()).format(text);
            default -> {
                if (OTHERS_OF_TEXTS.contains(name)) {
                    throw TemplateError.unsupported(name + "()");
                }
                yield null;
            }
        };
    }

    private static Text wrongPart(Object part) {
        Values.requireDefined(part);
        throw TemplateError.of("join() needs texts, not a " + Values.typeName(part));
    }

    private static Function strip(Text text, String name, boolean atStart, boolean atEnd) {
        return method(name, "chars=None", (bound, budget) -> {
            String characters = bound.isNone("chars")
                    ? PythonStr.SPACE
                    : bound.text("chars").toString();
            return PythonStr.strip(text, characters, atStart, atEnd);
        });
    }

    private static Function split(Text text, String name) {
        return method(name, "sep=None maxsplit=-1", (bound, budget) -> {
            int most = Math.max(-1, bound.index("maxsplit"));
            if (bound.isNone("sep")) {
                budget.elements(8L
                        * text.toString()
                                .chars()
                                .filter(unit -> PythonStr.SPACE.indexOf(unit) >= 0)
                                .count());
                return PythonStr.words(text, most);
            }
            String separator = bound.text("sep").toString();
            if (separator.isEmpty()) {
                throw TemplateError.of(name + "(): the separator is empty");
            }
            budget.elements(8L * count(text.toString(), separator));
            return PythonStr.split(text, separator, most);
        });
    }

    /** Begin and end, in Java's indices, of the part that {@code start} and {@code end} leave; begin may be after end. */
    private static int[] part(Text text, Arguments.Bound bound) {
        int length = PythonStr.length(text);
        int begin = bound.isNone("start") ? 0 : bound.index("start");
        int end = bound.isNone("end") ? length : bound.index("end");
        begin = begin < 0 ? Math.max(0, begin + length) : begin;
        end = end < 0 ? Math.max(0, end + length) : Math.min(end, length);
        return begin > length || begin > end
                ? new int[] {1, 0}
                : new int[] {PythonStr.offset(text, begin), PythonStr.offset(text, end)};
    }

    private static Object hasEnd(Text text, String name, Arguments.Bound bound, Budget budget) {
        int[] part = part(text, bound);
        List<Object> any =
                bound.get("prefix") instanceof Tuple tuple ? Values.list(tuple, budget) : List.of(bound.text("prefix"));
        boolean has = false;
        for (Object one : any) {
            if (!(one instanceof Text end)) {
                throw bound.wrong("prefix", "a string or a tuple of strings");
            }
            String chars = part[0] > part[1] ? null : text.toString().substring(part[0], part[1]);
            has |= chars != null
                    && (name.equals("startswith") ? chars.startsWith(end.toString()) : chars.endsWith(end.toString()));
        }
        return has;
    }

    private static Object search(Text text, String name, Arguments.Bound bound, Budget budget) {
        String wanted = bound.text("part").toString();
        int[] part = part(text, bound);
        budget.steps(text.length() >> 4);
        String chars = part[0] > part[1] ? "" : text.toString().substring(part[0], part[1]);
        boolean isOutside = part[0] > part[1];
        if (name.equals("count")) {
            return isOutside ? 0L : count(chars, wanted);
        }
        int at = isOutside ? -1 : name.startsWith("r") ? chars.lastIndexOf(wanted) : chars.indexOf(wanted);
        if (at < 0 && name.endsWith("index")) {
            throw TemplateError.of(name + "(): the text does not have this part");
        }
        return at < 0 ? -1L : (long) text.toString().codePointCount(0, part[0] + at);
    }

    private static long count(String chars, String wanted) {
        if (wanted.isEmpty()) {
            return chars.codePointCount(0, chars.length()) + 1L;
        }
        long count = 0;
        for (int at = chars.indexOf(wanted); at >= 0; at = chars.indexOf(wanted, at + wanted.length())) {
            count++;
        }
        return count;
    }
}
