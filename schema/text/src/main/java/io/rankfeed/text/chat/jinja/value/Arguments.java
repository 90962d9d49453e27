package io.rankfeed.text.chat.jinja.value;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The arguments of a call.
 *
 * @param named by keyword, in the order of the call
 */
public record Arguments(List<Object> positional, Map<String, Object> named) {
    /** Adds a value before the others: the value to which a filter, a test or a method is applied. */
    public Arguments after(Object first) {
        List<Object> all = new ArrayList<>(positional.size() + 1);
        all.add(first);
        all.addAll(positional);
        return new Arguments(all, named);
    }

    /** Returns the arguments without the first {@code begin} positional ones. */
    public Arguments from(int begin) {
        return new Arguments(positional.subList(Math.min(begin, positional.size()), positional.size()), named);
    }

    /** Arguments by the names of their parameters. */
    public record Bound(String function, Map<String, Object> values, Run run) {
        public Budget budget() {
            return run.budget();
        }

        public Object get(String name) {
            Object value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException(name);
            }
            return value;
        }

        /** Returns the value to which a filter, a test or a method is applied. */
        public Object value() {
            return get("value");
        }

        public boolean isNone(String name) {
            return values.get(name) == None.NONE;
        }

        /** A text; of another type, an error. */
        public Text text(String name) {
            if (get(name) instanceof Text text) {
                return text;
            }
            throw wrong(name, "a str");
        }

        /** The text of a value. */
        public Text string(String name) {
            return Values.text(get(name), budget());
        }

        /** The items of the value. */
        public List<Object> items() {
            return Values.list(value(), budget());
        }

        public int index(String name) {
            Values.requireDefined(get(name));
            return Numbers.index(get(name));
        }

        /** An integer that CPython converts to an integer of C with this many bits and a sign. */
        public int index(String name, int bits) {
            int index = index(name);
            BigInteger whole = Numbers.integer(get(name));
            if (whole != null && whole.bitLength() >= bits) {
                throw wrong(name, "an integer of " + bits + " bits");
            }
            return index;
        }

        public boolean isTrue(String name) {
            return Values.isTrue(get(name));
        }

        public TemplateError wrong(String name, String expected) {
            String what = name.equals("value") ? "the value" : "the argument '" + name + "'";
            return TemplateError.of(what + " of " + function + " must be " + expected + ", not a value of type "
                    + Values.typeName(get(name)));
        }
    }
}
