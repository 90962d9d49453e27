package io.rankfeed.spark.chat.jinja.library;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.Budget;
import io.rankfeed.spark.chat.jinja.value.Dict;
import io.rankfeed.spark.chat.jinja.value.Function;
import io.rankfeed.spark.chat.jinja.value.None;
import io.rankfeed.spark.chat.jinja.value.Numbers;
import io.rankfeed.spark.chat.jinja.value.Operators;
import io.rankfeed.spark.chat.jinja.value.PythonStr;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Text;
import io.rankfeed.spark.chat.jinja.value.Tuple;
import io.rankfeed.spark.chat.jinja.value.Undefined;
import io.rankfeed.spark.chat.jinja.value.Values;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is written after {@code is}. */
public final class Tests {
    private static final Map<String, Function> ALL = new HashMap<>();

    static {
        add("defined", (value, budget) -> !(value instanceof Undefined));
        add("undefined", (value, budget) -> value instanceof Undefined);
        add("none", (value, budget) -> value == None.NONE);
        add("boolean", (value, budget) -> value instanceof Boolean);
        add("true", (value, budget) -> value.equals(true));
        add("false", (value, budget) -> value.equals(false));
        add(
                "integer",
                (value, budget) -> Numbers.isNumber(value) && !(value instanceof Boolean || value instanceof Double));
        add("float", (value, budget) -> value instanceof Double);
        add("number", (value, budget) -> Numbers.isNumber(value));
        add("string", (value, budget) -> value instanceof Text);
        add("mapping", (value, budget) -> value instanceof Dict);
        add(
                "sequence",
                (value, budget) -> value instanceof Text
                        || value instanceof List
                        || value instanceof Dict
                        || value instanceof Undefined);
        add("iterable", (value, budget) -> Values.isIterable(value));
        add("callable", (value, budget) -> value instanceof Function || value instanceof Undefined);
        add("escaped", (value, budget) -> value instanceof Text text && text.isSafe());
        add(
                "lower",
                (value, budget) -> PythonStr.isLower(Values.text(value, budget).toString()));
        add(
                "upper",
                (value, budget) -> PythonStr.isUpper(Values.text(value, budget).toString()));
        add("odd", (value, budget) -> Values.isEqual(Operators.operate("%", value, 2L, budget), 1L, budget));
        add("even", (value, budget) -> Values.isEqual(Operators.operate("%", value, 2L, budget), 0L, budget));
        add("filter", (value, budget) -> Filters.isKnown(Dict.normal(value).toString()));
        add("test", (value, budget) -> ALL.containsKey(Dict.normal(value).toString()));
        add(
                "divisibleby",
                "num",
                (value, other, budget) -> Values.isEqual(Operators.operate("%", value, other, budget), 0L, budget));
        add("in", "seq", (value, other, budget) -> Values.contains(other, value, budget));
        add("sameas", "other", (value, other, budget) -> isSame(value, other, budget));
        Map<String, List<String>> comparisons = Map.of(
                "==", List.of("==", "eq", "equalto"),
                "!=", List.of("!=", "ne"),
                ">", List.of(">", "gt", "greaterthan"),
                ">=", List.of(">=", "ge"),
                "<", List.of("<", "lt", "lessthan"),
                "<=", List.of("<=", "le"));
        comparisons.forEach((operator, names) -> names.forEach(name -> ALL.put(name, (arguments, run) -> {
            List<Object> both = arguments.positional();
            if (both.size() != 2 || !arguments.named().isEmpty()) {
                throw TemplateError.of("the test '" + name + "' takes one argument");
            }
            return Operators.compare(operator, both.get(0), both.get(1), run.budget());
        })));
    }

    private Tests() {}

    private interface Test {
        boolean of(Object value, Budget budget);
    }

    private interface TestWithArgument {
        boolean of(Object value, Object other, Budget budget);
    }

    private static void add(String name, Test test) {
        ALL.put(name, (arguments, run) -> test.of(arguments.bind(name, "value").get("value"), run.budget()));
    }

    private static void add(String name, String parameter, TestWithArgument test) {
        ALL.put(name, (arguments, run) -> {
            Arguments.Bound bound = arguments.bind(name, "value " + parameter);
            return test.of(bound.get("value"), bound.get(parameter), run.budget());
        });
    }

    /** Python compares addresses, which for equal texts and numbers depend on its implementation. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Object value, Object other, Budget budget) {
        Set<String> fixed = Set.of("bool", "NoneType");
        String type = Values.typeName(value);
        boolean sameType = type.equals(Values.typeName(other));
        if (value == other || !sameType || fixed.contains(type)) {
            return sameType && value.equals(other);
        } else if (value instanceof Text || Numbers.isNumber(value) || value instanceof Tuple) {
            if (!Values.isEqual(value, other, budget)) {
                return false;
            }
            throw TemplateError.unsupported("'sameas' of equal values of type " + type);
        }
        return false;
    }

    public static boolean isKnown(@Nullable String name) {
        return ALL.containsKey(name);
    }

    /** @throws TemplateError if there is none */
    public static Function named(String name) {
        Function test = ALL.get(name);
        if (test == null) {
            throw TemplateError.of("unknown test '" + name + "'");
        }
        return test;
    }
}
