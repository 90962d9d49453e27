package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.PythonStr;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Tuple;
import io.rankfeed.text.chat.jinja.value.Values;
import io.rankfeed.text.chat.jinja.value.View;
import java.util.List;
import java.util.Map;

/** The attributes of Python's types that the sandbox permits. Those that no published template uses are not supported. */
final class Methods {
    static final Registry OF_NUMBERS = new Registry(
            "attribute",
            "real imag numerator denominator conjugate bit_length bit_count to_bytes from_bytes as_integer_ratio is_integer hex"
                    + " fromhex",
            "");
    static final Registry OF_TUPLES = new Registry("method", "", "");
    static final Registry OF_LISTS = new Registry("method", "", "append clear pop reverse insert sort extend remove");
    static final Registry OF_DICTS = new Registry("method", "fromkeys", "clear pop popitem setdefault update");
    static final Registry OF_TEXTS = new Registry(
            "method",
            "casefold center encode expandtabs format_map isalnum isalpha isascii isdecimal isidentifier islower isnumeric"
                    + " isprintable isspace istitle isupper ljust maketrans partition removeprefix removesuffix rjust"
                    + " rpartition rsplit splitlines swapcase translate zfill",
            "");

    static {
        for (Registry lists : List.of(OF_LISTS, OF_TUPLES)) {
            lists.add("count", "value item /", bound -> bound.items().stream()
                    .filter(item -> Values.isEqual(item, bound.get("item"), bound.budget()))
                    .count());
            lists.add("index", "value item /", Methods::index);
        }
        OF_LISTS.add("copy", "value /", Arguments.Bound::items);
        OF_DICTS.add("get", "value key default=None /", bound -> {
            Object found = dict(bound).get(bound.get("key"));
            return found == null ? bound.get("default") : found;
        });
        OF_DICTS.add("items", "value /", bound -> new View(View.Kind.ITEMS, dict(bound)));
        OF_DICTS.add("keys", "value /", bound -> new View(View.Kind.KEYS, dict(bound)));
        OF_DICTS.add("values", "value /", bound -> new View(View.Kind.VALUES, dict(bound)));
        OF_DICTS.add(
                "copy",
                "value /",
                bound -> Functions.dict(new Arguments(List.of(bound.value()), Map.of()), bound.run()));
        OF_TEXTS.add("upper", "value /", bound -> PythonStr.upper(bound.text("value")));
        OF_TEXTS.add("lower", "value /", bound -> PythonStr.lower(bound.text("value")));
        OF_TEXTS.add("title", "value /", bound -> PythonStr.title(bound.text("value")));
        OF_TEXTS.add("capitalize", "value /", bound -> PythonStr.capitalize(bound.text("value")));
        for (String name : List.of("strip", "lstrip", "rstrip")) {
            OF_TEXTS.add(
                    name,
                    "value chars=None /",
                    bound -> PythonStr.strip(
                            bound.text("value"), stripped(bound), !name.equals("rstrip"), !name.equals("lstrip")));
        }
        OF_TEXTS.add("split", "value sep=None maxsplit=-1", Methods::split);
        for (String name : List.of("startswith", "endswith")) {
            OF_TEXTS.add(name, "value prefix start=None end=None /", bound -> hasEnd(name, bound));
        }
        OF_TEXTS.add(
                "replace",
                "value old new count=-1 /",
                bound -> PythonStr.replace(
                        bound.text("value"),
                        bound.text("old"),
                        bound.text("new"),
                        bound.index("count", Long.SIZE),
                        bound.budget()));
        OF_TEXTS.add("join", "value parts /", bound -> {
            List<Text> parts = Values.list(bound.get("parts"), bound.budget()).stream()
                    .map(Methods::part)
                    .toList();
            return PythonStr.join(bound.text("value"), parts, bound.budget());
        });
        for (String name : List.of("find", "rfind", "index", "rindex", "count")) {
            OF_TEXTS.add(name, "value part start=None end=None /", bound -> search(name, bound));
        }
        OF_TEXTS.add("isdigit", "value /", bound -> PythonStr.all(bound.value().toString(), PythonStr::isDigit));
        OF_TEXTS.put("format", (arguments, run) -> {
            Text format = (Text) arguments.positional().get(0);
            return new BraceFormat(arguments.from(1), run.budget()).format(format);
        });
    }

    private Methods() {}

    private static Dict dict(Arguments.Bound bound) {
        return (Dict) bound.value();
    }

    private static Object index(Arguments.Bound bound) {
        List<Object> items = bound.items();
        for (int i = 0; i < items.size(); i++) {
            if (Values.isEqual(items.get(i), bound.get("item"), bound.budget())) {
                return (long) i;
            }
        }
        throw TemplateError.of("the method 'index' does not find its argument in the list");
    }

    private static Text part(Object part) {
        Values.requireDefined(part);
        if (part instanceof Text text) {
            return text.plain();
        }
        throw TemplateError.of("the method 'join' can join texts only, not a value of type " + Values.typeName(part));
    }

    /** The characters that the argument {@code chars} names, or whitespace. */
    static String stripped(Arguments.Bound bound) {
        return bound.isNone("chars") ? PythonStr.SPACE : bound.text("chars").toString();
    }

    private static Object split(Arguments.Bound bound) {
        Text text = bound.text("value");
        int max = Math.max(-1, bound.index("maxsplit", Long.SIZE));
        if (bound.isNone("sep")) {
            bound.budget()
                    .elements(8L
                            * text.toString()
                                    .chars()
                                    .filter(unit -> PythonStr.SPACE.indexOf(unit) >= 0)
                                    .count());
            return PythonStr.words(text, max);
        }
        String separator = bound.text("sep").toString();
        if (separator.isEmpty()) {
            throw TemplateError.of("the argument 'sep' of the method 'split' is empty");
        }
        bound.budget().elements(8L * count(text.toString(), separator));
        return PythonStr.split(text, separator, max);
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

    private static Object hasEnd(String name, Arguments.Bound bound) {
        Text text = bound.text("value");
        int[] part = part(text, bound);
        List<Object> any = bound.get("prefix") instanceof Tuple tuple
                ? Values.list(tuple, bound.budget())
                : List.of(bound.text("prefix"));
        boolean has = false;
        for (Object one : any) {
            if (!(one instanceof Text end)) {
                throw bound.wrong("prefix", "a str or a tuple of str");
            }
            String chars = part[0] > part[1] ? null : text.toString().substring(part[0], part[1]);
            has |= chars != null
                    && (name.equals("startswith") ? chars.startsWith(end.toString()) : chars.endsWith(end.toString()));
        }
        return has;
    }

    private static Object search(String name, Arguments.Bound bound) {
        Text text = bound.text("value");
        String wanted = bound.text("part").toString();
        int[] part = part(text, bound);
        bound.budget().steps(text.length() >> 4);
        String chars = part[0] > part[1] ? "" : text.toString().substring(part[0], part[1]);
        boolean isOutside = part[0] > part[1];
        if (name.equals("count")) {
            return isOutside ? 0L : count(chars, wanted);
        }
        int at = isOutside ? -1 : name.startsWith("r") ? chars.lastIndexOf(wanted) : chars.indexOf(wanted);
        if (at < 0 && name.endsWith("index")) {
            throw TemplateError.of("the method '" + name + "' does not find its argument in the text");
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
