package io.rankfeed.spark.chat.jinja.library;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.Function;
import io.rankfeed.spark.chat.jinja.value.Numbers;
import io.rankfeed.spark.chat.jinja.value.Operators;
import io.rankfeed.spark.chat.jinja.value.Run;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Undefined;
import io.rankfeed.spark.chat.jinja.value.Values;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The filters of Jinja. */
public final class Filters {
    private static final Map<String, Function> ALL = new HashMap<>();
    private static final Set<String> UNSUPPORTED = Set.of(
            "center",
            "truncate",
            "filesizeformat",
            "pprint",
            "random",
            "striptags",
            "urlencode",
            "urlize",
            "wordwrap",
            "xmlattr",
            "wordcount",
            "forceescape");

    static {
        TextFilters.all().forEach(ALL::put);
        ListFilters.all().forEach(ALL::put);
        ALL.put("tojson", Json::tojson);
        add(
                "attr",
                "value name",
                (bound, run) ->
                        Attributes.only(bound.get("value"), bound.text("name").toString()));
        add("length", "value", (bound, run) -> length(bound));
        add("count", "value", (bound, run) -> length(bound));
        add("abs", "value", (bound, run) -> {
            Object value = number(bound);
            boolean isNegative = value instanceof Double real
                    ? real < 0 || real.equals(-0.0)
                    : Operators.compare("<", value, 0L, run.budget());
            return Operators.signed(isNegative, value);
        });
        add("round", "value precision=0 method='common'", (bound, run) -> Rounding.round(bound));
        add("int", "value default=0 base=10", (bound, run) -> Conversions.integer(bound));
        add("float", "value default=", (bound, run) -> Conversions.real(bound));
        for (String name : List.of("default", "d")) {
            add(name, "value default_value='' boolean=False", (bound, run) -> {
                Object value = bound.get("value");
                boolean isReplaced = value instanceof Undefined || (bound.isTrue("boolean") && !Values.isTrue(value));
                return isReplaced ? bound.get("default_value") : value;
            });
        }
    }

    private Filters() {}

    /** A filter with parameters as {@link Arguments#bind} takes them. */
    public interface Filter {
        Object of(Arguments.Bound bound, Run run);
    }

    public static Function filter(String name, String parameters, Filter filter) {
        return (arguments, run) -> filter.of(arguments.bind(name, parameters), run);
    }

    private static void add(String name, String parameters, Filter filter) {
        ALL.put(name, filter(name, parameters, filter));
    }

    private static Object length(Arguments.Bound bound) {
        return Values.length(bound.get("value"));
    }

    public static Object number(Arguments.Bound bound) {
        Object value = bound.get("value");
        if (!Numbers.isNumber(value)) {
            Values.requireDefined(value);
            throw bound.wrong("value", "a number");
        }
        return value;
    }

    public static boolean isKnown(String name) {
        return ALL.containsKey(name) || UNSUPPORTED.contains(name);
    }

    /** @throws TemplateError if there is none */
    public static Function named(String name) {
        Function filter = ALL.get(name);
        if (filter == null) {
            throw UNSUPPORTED.contains(name)
                    ? TemplateError.unsupported("the filter '" + name + "'")
                    : TemplateError.of("unknown filter '" + name + "'");
        }
        return filter;
    }
}
