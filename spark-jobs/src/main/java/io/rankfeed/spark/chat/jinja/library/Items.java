package io.rankfeed.spark.chat.jinja.library;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.Budget;
import io.rankfeed.spark.chat.jinja.value.None;
import io.rankfeed.spark.chat.jinja.value.Numbers;
import io.rankfeed.spark.chat.jinja.value.PythonStr;
import io.rankfeed.spark.chat.jinja.value.Run;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Text;
import io.rankfeed.spark.chat.jinja.value.Undefined;
import io.rankfeed.spark.chat.jinja.value.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The items that a filter is applied to, and how it looks at them. */
public final class Items {
    private final Object iterable;
    private final Run run;

    private Items(Object iterable, Run run) {
        this.iterable = iterable;
        this.run = run;
    }

    public static Items of(Arguments.Bound bound, Run run) {
        return new Items(bound.get("value"), run);
    }

    public List<Object> list() {
        return Values.list(iterable, run.budget());
    }

    /** An attribute of each; the items themselves for None. */
    public List<Object> values(Object attribute) {
        if (attribute == None.NONE) {
            return list();
        }
        Key key = new Key(attribute, None.NONE, true, run.budget());
        List<Object> values = list();
        values.replaceAll(key::of);
        return values;
    }

    /**
     * A part of an item.
     *
     * @param path keys and indices, with points between them
     * @param otherwise what takes the place of a missing part; None for nothing
     */
    public record Key(Object path, Object otherwise, boolean isCaseSensitive, Budget budget) {
        public Object of(Object item) {
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

        private static final int MAX_DIGITS = 18;

        private static Object step(String written) {
            if (!PythonStr.all(written, PythonStr::isDigit)) {
                return Text.of(written);
            } else if (!PythonStr.all(written, Character::isDigit) || written.length() > MAX_DIGITS) {
                throw TemplateError.of("'" + written + "' is not an index");
            }
            return Numbers.narrow(new java.math.BigInteger(written));
        }
    }

    /** A stable order of values, as {@code sorted} has it. */
    public static Comparator<Object> order(boolean isReverse, Budget budget) {
        Comparator<Object> order =
                (a, b) -> Values.isOrdered("<", a, b, budget) ? -1 : Values.isOrdered("<", b, a, budget) ? 1 : 0;
        return isReverse ? order.reversed() : order;
    }
}
