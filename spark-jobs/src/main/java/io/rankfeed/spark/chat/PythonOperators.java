package io.rankfeed.spark.chat;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.AdvancedFilter;
import com.hubspot.jinjava.util.ForLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Operators, filters and tests of Jinja with the values of Python, as filters of the engine. A value is a text, a number, a boolean, a
 * list, a mapping, {@link PythonNone}, or null where it is missing. What Python refuses is refused; so is what would be written as Python
 * writes lists and mappings.
 */
final class PythonOperators {
    /** Of the names in the engine. */
    static final String PREFIX = "rankfeed_";

    static final Set<String> FILTERS = Set.of(
            "trim",
            "upper",
            "lower",
            "capitalize",
            "string",
            "safe",
            "replace",
            "join",
            "length",
            "count",
            "first",
            "last",
            "list",
            "items",
            "dictsort",
            "default",
            "tojson",
            "map");
    static final Set<String> TESTS = Set.of(
            "defined",
            "undefined",
            "none",
            "string",
            "mapping",
            "iterable",
            "sequence",
            "number",
            "boolean",
            "true",
            "false");

    private static final int MAX_ENTRIES = 256;

    /** Computes a value. */
    private interface Operator {
        @Nullable
        Object of(@Nullable Object value, Object[] arguments);
    }

    private record Registered(String getName, int least, int most, Operator operator) implements AdvancedFilter {
        @Override
        public @Nullable Object filter(
                @Nullable Object value, JinjavaInterpreter interpreter, Object[] arguments, Map<String, Object> named) {
            TemplateTags.requireTime();
            if (arguments.length < least || arguments.length > most || !named.isEmpty()) {
                throw PythonValues.refused("arguments of " + getName.substring(PREFIX.length()));
            }
            return operator.of(value, arguments);
        }
    }

    private PythonOperators() {}

    static List<AdvancedFilter> all() {
        return List.of(
                new PythonJson(),
                filter("output", 0, (value, arguments) -> PythonValues.text(value)),
                filter("truth", 0, (value, arguments) -> PythonValues.isTrue(value)),
                filter("not", 0, (value, arguments) -> !PythonValues.isTrue(value)),
                filter("eq", 1, (value, arguments) -> PythonValues.isEqual(value, arguments[0])),
                filter("ne", 1, (value, arguments) -> !PythonValues.isEqual(value, arguments[0])),
                filter("lt", 1, (value, arguments) -> PythonValues.compare(value, arguments[0]) < 0),
                filter("gt", 1, (value, arguments) -> PythonValues.compare(value, arguments[0]) > 0),
                filter("le", 1, (value, arguments) -> PythonValues.compare(value, arguments[0]) <= 0),
                filter("ge", 1, (value, arguments) -> PythonValues.compare(value, arguments[0]) >= 0),
                filter("in", 1, (value, arguments) -> PythonValues.isIn(value, arguments[0])),
                filter("add", 1, (value, arguments) -> sum(value, arguments[0])),
                filter(
                        "sub",
                        1,
                        (value, arguments) ->
                                Math.subtractExact(PythonValues.whole(value), PythonValues.whole(arguments[0]))),
                filter(
                        "mul",
                        1,
                        (value, arguments) ->
                                Math.multiplyExact(PythonValues.whole(value), PythonValues.whole(arguments[0]))),
                filter(
                        "floordiv",
                        1,
                        (value, arguments) ->
                                Math.floorDiv(PythonValues.whole(value), PythonValues.whole(arguments[0]))),
                filter(
                        "mod",
                        1,
                        (value, arguments) ->
                                Math.floorMod(PythonValues.whole(value), PythonValues.whole(arguments[0]))),
                filter("neg", 0, (value, arguments) -> Math.negateExact(PythonValues.whole(value))),
                filter("concat", 1, (value, arguments) -> PythonValues.text(value) + PythonValues.text(arguments[0])),
                filter("attribute", 1, (value, arguments) -> attribute(value, PythonValues.text(arguments[0]))),
                new Registered(PREFIX + "call", 1, 4, PythonOperators::call),
                new Registered(PREFIX + "mapping", 0, MAX_ENTRIES, (value, arguments) -> mapping(arguments)),
                filter("item", 1, (value, arguments) -> item(value, arguments[0])),
                filter("slice", 3, PythonOperators::slice),
                filter(
                        "beside",
                        2,
                        (value, arguments) ->
                                beside(PythonValues.items(value), arguments[0], PythonValues.whole(arguments[1]))),
                filter("keep", 1, (value, arguments) -> keep(value, arguments[0])),
                filter("iter", 0, (value, arguments) -> PythonValues.items(value)),
                filter("trim", 0, (value, arguments) -> PythonText.strip(PythonValues.text(value))),
                filter("upper", 0, (value, arguments) -> PythonValues.text(value)
                        .toUpperCase(Locale.ROOT)),
                filter("lower", 0, (value, arguments) -> PythonValues.text(value)
                        .toLowerCase(Locale.ROOT)),
                filter(
                        "capitalize",
                        0,
                        (value, arguments) -> method(PythonValues.text(value), "capitalize", List.of())),
                filter("string", 0, (value, arguments) -> PythonValues.text(value)),
                filter("safe", 0, (value, arguments) -> PythonValues.text(value)),
                filter(
                        "replace",
                        2,
                        (value, arguments) -> method(PythonValues.text(value), "replace", Arrays.asList(arguments))),
                new Registered(PREFIX + "join", 0, 1, PythonOperators::join),
                filter("length", 0, (value, arguments) -> length(value)),
                filter("count", 0, (value, arguments) -> length(value)),
                filter("first", 0, (value, arguments) -> PythonValues.items(value).stream()
                        .findFirst()
                        .orElse(null)),
                filter("last", 0, (value, arguments) -> last(value)),
                filter("list", 0, (value, arguments) -> new ArrayList<>(PythonValues.items(value))),
                filter(
                        "items",
                        0,
                        (value, arguments) ->
                                new PythonValues.Lazy(value == null ? List.of() : entries(mapping(value)))),
                filter("dictsort", 0, (value, arguments) -> sorted(mapping(value))),
                new Registered(PREFIX + "default", 0, 2, PythonOperators::orDefault),
                filter("map", 1, (value, arguments) -> mapped(value, PythonValues.text(arguments[0]))),
                test("defined", Objects::nonNull),
                test("undefined", Objects::isNull),
                test("none", value -> value == PythonNone.NONE),
                test("string", CharSequence.class::isInstance),
                test("mapping", Map.class::isInstance),
                test("iterable", PythonValues::isIterable),
                test("sequence", PythonValues::isIterable),
                test("number", PythonValues::isNumber),
                test("boolean", Boolean.class::isInstance),
                test("true", Boolean.TRUE::equals),
                test("false", Boolean.FALSE::equals));
    }

    private static Registered filter(String name, int arguments, Operator operator) {
        return new Registered(PREFIX + name, arguments, arguments, operator);
    }

    private static Registered test(String name, Predicate<@Nullable Object> test) {
        return filter("is_" + name, 0, (value, arguments) -> test.test(value));
    }

    private static Object sum(@Nullable Object value, @Nullable Object other) {
        if (value instanceof CharSequence && other instanceof CharSequence) {
            return value.toString() + other;
        } else if (value instanceof List<?> list && other instanceof List<?> others) {
            return Stream.concat(list.stream(), others.stream()).collect(Collectors.toCollection(ArrayList::new));
        }
        return Math.addExact(PythonValues.whole(value), PythonValues.whole(other));
    }

    private static @Nullable Object attribute(@Nullable Object value, String name) {
        if (value == null) {
            throw PythonValues.refused("'" + name + "' of a missing value");
        } else if (value instanceof Map<?, ?> map) {
            return map.get(name);
        } else if (value instanceof ForLoop loop) {
            return switch (name) {
                case "index" -> (long) loop.getIndex();
                case "index0" -> (long) loop.getIndex0();
                case "revindex" -> (long) loop.getRevindex();
                case "revindex0" -> (long) loop.getRevindex0();
                case "first" -> loop.isFirst();
                case "last" -> loop.isLast();
                case "length" -> (long) loop.getLength();
                default -> throw PythonValues.refused("loop." + name);
            };
        } else if (value instanceof CharSequence
                || value instanceof List
                || PythonValues.isNumber(value)
                || value == PythonNone.NONE) {
            return null;
        }
        throw PythonValues.refused("'" + name + "' of " + PythonValues.kind(value));
    }

    private static @Nullable Object beside(List<?> items, Object loop, long distance) {
        long at = loop instanceof ForLoop one ? one.getIndex0() + distance : -1;
        return at >= 0 && at < items.size() ? items.get((int) at) : null;
    }

    private static @Nullable Object call(@Nullable Object value, Object[] arguments) {
        String name = PythonValues.text(arguments[0]);
        List<Object> given = Arrays.asList(arguments).subList(1, arguments.length);
        if (value instanceof CharSequence text && given.stream().allMatch(CharSequence.class::isInstance)) {
            return method(text.toString(), name, given);
        } else if (value instanceof Map<?, ?> map) {
            return ofMapping(map, name, given);
        } else if (value instanceof ArrayList<?> list && name.equals("append") && given.size() == 1) {
            return append(list, given.get(0));
        }
        throw PythonValues.refused("the method '" + name + "' of " + PythonValues.kind(value));
    }

    /** A method of a text with texts. */
    private static Object method(String text, String name, List<Object> arguments) {
        try {
            return PythonText.method(
                    text, name, arguments.stream().map(PythonValues::text).toList());
        } catch (UnsupportedOperationException e) {
            throw PythonValues.refused("the method '" + e.getMessage() + "'");
        }
    }

    private static @Nullable Object ofMapping(Map<?, ?> map, String name, List<Object> given) {
        return switch (name + "/" + given.size()) {
            case "items/0" -> entries(map);
            case "keys/0" -> new ArrayList<Object>(map.keySet());
            case "values/0" -> new ArrayList<Object>(map.values());
            case "get/1" -> orNone(map, given.get(0), PythonNone.NONE);
            case "get/2" -> orNone(map, given.get(0), given.get(1));
            default -> throw PythonValues.refused("the method '" + name + "' of a mapping");
        };
    }

    private static @Nullable Object orNone(Map<?, ?> map, Object key, Object other) {
        return map.containsKey(key) ? map.get(key) : other;
    }

    /** Of a list that the template made; those of the conversation cannot be changed. */
    @SuppressWarnings("unchecked")
    private static Object append(List<?> list, Object item) {
        ((List<Object>) list).add(item);
        return PythonNone.NONE;
    }

    private static @Nullable Object item(@Nullable Object value, @Nullable Object key) {
        if (value instanceof Map<?, ?> map) {
            return map.get(key instanceof CharSequence ? key.toString() : key);
        } else if (value instanceof List<?> || value instanceof CharSequence) {
            List<?> items = PythonValues.items(value);
            long at = key instanceof CharSequence ? -1L - items.size() : PythonValues.whole(key);
            at += at < 0 ? items.size() : 0;
            return at >= 0 && at < items.size() ? items.get((int) at) : null;
        }
        throw PythonValues.refused("an item of " + PythonValues.kind(value));
    }

    /** Python's {@code value[begin:end:step]}; of steps 1 and −1, the latter without bounds. */
    private static Object slice(@Nullable Object value, Object[] bounds) {
        boolean isText = value instanceof CharSequence;
        if (!isText && !(value instanceof List)) {
            throw PythonValues.refused("a slice of " + PythonValues.kind(value));
        }
        List<?> items = PythonValues.items(value);
        List<Object> part;
        boolean isBackwards = bounds[2] != PythonNone.NONE && PythonValues.whole(bounds[2]) == -1;
        if (isBackwards && bounds[0] == PythonNone.NONE && bounds[1] == PythonNone.NONE) {
            part = new ArrayList<>(items);
            Collections.reverse(part);
        } else if (bounds[2] == PythonNone.NONE || PythonValues.whole(bounds[2]) == 1) {
            int begin = bound(bounds[0], 0, items.size());
            part = new ArrayList<>(items.subList(begin, Math.max(begin, bound(bounds[1], items.size(), items.size()))));
        } else {
            throw PythonValues.refused("a slice with a step");
        }
        return isText ? part.stream().map(String::valueOf).collect(Collectors.joining()) : part;
    }

    private static int bound(Object bound, int none, int size) {
        if (bound == PythonNone.NONE) {
            return none;
        }
        long at = PythonValues.whole(bound);
        return (int) Math.min(Math.max(at < 0 ? at + size : at, 0), size);
    }

    /** Appends an item to a list of {@link TemplateSource}; nothing is written. */
    private static Object keep(@Nullable Object list, Object item) {
        append(PythonValues.items(list), item);
        return "";
    }

    private static long length(@Nullable Object value) {
        if (value instanceof PythonValues.Lazy) {
            throw PythonValues.refused("the length of what is not a list");
        }
        return PythonValues.items(value).size();
    }

    private static @Nullable Object last(@Nullable Object value) {
        List<?> items = PythonValues.items(value);
        return items.isEmpty() ? null : items.get(items.size() - 1);
    }

    /** Of keys and values in turn. */
    private static Map<Object, Object> mapping(Object[] entries) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put(entries[i] instanceof CharSequence ? entries[i].toString() : entries[i], entries[i + 1]);
        }
        return map;
    }

    private static Map<?, ?> mapping(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw PythonValues.refused("entries of " + PythonValues.kind(value));
    }

    /** Pairs of key and value. */
    static List<List<Object>> entries(Map<?, ?> map) {
        List<List<Object>> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(Arrays.asList(key, value)));
        return entries;
    }

    /** By key, without regard to case. */
    private static List<List<Object>> sorted(Map<?, ?> map) {
        List<List<Object>> entries = entries(map);
        entries.sort(
                Comparator.comparing(entry -> PythonValues.text(entry.get(0)).toLowerCase(Locale.ROOT)));
        return entries;
    }

    private static Object join(@Nullable Object value, Object[] arguments) {
        String separator = arguments.length == 0 ? "" : PythonValues.text(arguments[0]);
        return PythonValues.items(value).stream().map(PythonValues::text).collect(Collectors.joining(separator));
    }

    /** Each item through a filter of texts. */
    private static Object mapped(@Nullable Object value, String filter) {
        if (!Set.of("upper", "lower", "capitalize", "strip").contains(filter.replace("trim", "strip"))) {
            throw PythonValues.refused("map('" + filter + "')");
        }
        return new PythonValues.Lazy(PythonValues.items(value).stream()
                .map(item -> method(PythonValues.text(item), filter.replace("trim", "strip"), List.of()))
                .toList());
    }

    private static @Nullable Object orDefault(@Nullable Object value, Object[] arguments) {
        boolean isMissing = value == null
                || (arguments.length > 1 && PythonValues.isTrue(arguments[1]) && !PythonValues.isTrue(value));
        return isMissing ? arguments.length == 0 ? "" : arguments[0] : value;
    }
}
