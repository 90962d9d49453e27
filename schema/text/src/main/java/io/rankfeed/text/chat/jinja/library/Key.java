package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Budget;
import io.rankfeed.text.chat.jinja.value.None;
import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.PythonStr;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Undefined;
import io.rankfeed.text.chat.jinja.value.Values;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The part of an item that a filter compares or returns.
 *
 * @param path keys and indices, with points between them; None for the item
 * @param otherwise the value of a missing part; None if there is none
 */
record Key(Object path, Object otherwise, boolean isCaseSensitive, Budget budget) {
    private static final int MAX_DIGITS = 18;

    /** The key that the argument {@code attribute} names. */
    static Key of(Arguments.Bound bound) {
        return new Key(bound.get("attribute"), None.NONE, bound.isTrue("case_sensitive"), bound.budget());
    }

    /** The argument {@code attribute} of each item. */
    static List<Object> values(Arguments.Bound bound) {
        Key key = new Key(bound.get("attribute"), None.NONE, true, bound.budget());
        List<Object> values = bound.items();
        values.replaceAll(key::of);
        return values;
    }

    Object of(Object item) {
        Object value = item;
        List<Object> steps = new ArrayList<>();
        if (path instanceof Text text) {
            PythonStr.split(text, ".", -1).forEach(step -> steps.add(step(step.toString())));
        } else if (path != None.NONE) {
            steps.add(path);
        }
        for (Object step : steps) {
            value = Attributes.item(value, step, budget);
            if (otherwise != None.NONE && value instanceof Undefined) {
                value = otherwise;
            }
        }
        return isCaseSensitive || !(value instanceof Text text) ? value : PythonStr.lower(text);
    }

    private static Object step(String written) {
        if (!PythonStr.all(written, PythonStr::isDigit)) {
            return Text.of(written);
        } else if (!PythonStr.all(written, Character::isDigit) || written.length() > MAX_DIGITS) {
            throw TemplateError.of("the attribute '" + written + "' is neither a name nor an index");
        }
        return Numbers.narrow(new BigInteger(written));
    }

    /** A stable order of values, as {@code sorted} has it. */
    static Comparator<Object> order(boolean isReverse, Budget budget) {
        Comparator<Object> order =
                (a, b) -> Values.isOrdered("<", a, b, budget) ? -1 : Values.isOrdered("<", b, a, budget) ? 1 : 0;
        return isReverse ? order.reversed() : order;
    }
}
