package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.Function;
import io.rankfeed.text.chat.jinja.value.None;
import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.Operators;
import io.rankfeed.text.chat.jinja.value.PythonStr;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Tuple;
import io.rankfeed.text.chat.jinja.value.Undefined;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The tests of Jinja, which are written after {@code is}. */
public final class Tests {
    public static final Registry ALL = new Registry("test", "", "");

    static {
        ALL.add("defined", "value", bound -> !(bound.value() instanceof Undefined));
        ALL.add("undefined", "value", bound -> bound.value() instanceof Undefined);
        ALL.add("none", "value", bound -> bound.value() == None.NONE);
        ALL.add("boolean", "value", bound -> bound.value() instanceof Boolean);
        ALL.add("true", "value", bound -> bound.value().equals(true));
        ALL.add("false", "value", bound -> bound.value().equals(false));
        ALL.add("integer", "value", bound -> Values.typeName(bound.value()).equals("int"));
        ALL.add("float", "value", bound -> bound.value() instanceof Double);
        ALL.add("number", "value", bound -> Numbers.isNumber(bound.value()));
        ALL.add("string", "value", bound -> bound.value() instanceof Text);
        ALL.add("mapping", "value", bound -> bound.value() instanceof Dict);
        ALL.add("sequence", "value", bound -> Stream.of(Text.class, List.class, Dict.class, Undefined.class)
                .anyMatch(type -> type.isInstance(bound.value())));
        ALL.add("iterable", "value", bound -> Values.isIterable(bound.value()));
        ALL.add("callable", "value", bound -> bound.value() instanceof Function || bound.value() instanceof Undefined);
        ALL.add("escaped", "value", bound -> bound.value() instanceof Text text && text.isSafe());
        ALL.add(
                "lower",
                "value",
                bound -> PythonStr.isLower(bound.string("value").toString()));
        ALL.add(
                "upper",
                "value",
                bound -> PythonStr.isUpper(bound.string("value").toString()));
        ALL.add("odd", "value", bound -> isRemainder(bound, 2L, 1L));
        ALL.add("even", "value", bound -> isRemainder(bound, 2L, 0L));
        ALL.add("divisibleby", "value num", bound -> isRemainder(bound, bound.get("num"), 0L));
        ALL.add(
                "filter",
                "value",
                bound -> Filters.ALL.has(Dict.normal(bound.value()).toString()));
        ALL.add("test", "value", bound -> ALL.has(Dict.normal(bound.value()).toString()));
        ALL.add("in", "value seq", bound -> Values.contains(bound.get("seq"), bound.value(), bound.budget()));
        ALL.add("sameas", "value other", Tests::isSame);
        Map<String, String> comparisons = Map.of(
                "==",
                "== eq equalto",
                "!=",
                "!= ne",
                ">",
                "> gt greaterthan",
                ">=",
                ">= ge",
                "<",
                "< lt lessthan",
                "<=",
                "<= le");
        comparisons.forEach((operator, names) -> ALL.add(
                names,
                "value other /",
                bound -> Operators.compare(operator, bound.value(), bound.get("other"), bound.budget())));
    }

    private Tests() {}

    private static boolean isRemainder(Arguments.Bound bound, Object divisor, Object remainder) {
        Object actual = Operators.operate("%", bound.value(), divisor, bound.budget());
        return Values.isEqual(actual, remainder, bound.budget());
    }

    /** Python compares addresses, which for equal texts and numbers depend on its implementation. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Arguments.Bound bound) {
        Object value = bound.value();
        Object other = bound.get("other");
        String type = Values.typeName(value);
        boolean isSameType = type.equals(Values.typeName(other));
        if (value == other || !isSameType || Set.of("bool", "NoneType").contains(type)) {
            return isSameType && value.equals(other);
        }
        boolean isPlain = value instanceof Text || Numbers.isNumber(value) || value instanceof Tuple;
        if (isPlain && Values.isEqual(value, other, bound.budget())) {
            throw TemplateError.unsupported("the test 'sameas' of equal values of type " + type);
        }
        return false;
    }
}
