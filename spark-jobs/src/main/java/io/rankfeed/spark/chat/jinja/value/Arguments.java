package io.rankfeed.spark.chat.jinja.value;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The arguments of a call.
 *
 * @param named by keyword, in the order of the call
 */
public record Arguments(List<Object> positional, Map<String, Object> named) {
    /** With a value before the others: the one that a filter, a test or a method is applied to. */
    public Arguments after(Object first) {
        List<Object> all = new ArrayList<>(positional.size() + 1);
        all.add(first);
        all.addAll(positional);
        return new Arguments(all, named);
    }

    /** Without the first ones. */
    public Arguments from(int begin) {
        return new Arguments(positional.subList(Math.min(begin, positional.size()), positional.size()), named);
    }

    /**
     * Binds them to parameters as Python does.
     *
     * @param function for messages
     * @param parameters as in Python, such as {@code "value width=4 first=False"}, with a slash at the end where none can be
     *     given by name; a default is an integer, a quoted text, True, False, None or 0.0
     */
    public Bound bind(String function, String parameters, Run run) {
        String[] names = parameters.replace(" /", "").split(" ", -1);
        String takes = parameters.replaceFirst("^value ?", "").replace(" ", ", ");
        String shown =
                " of " + function + (takes.length() < 2 ? ", which takes none" : "; its parameters are: " + takes);
        if (positional.size() > names.length) {
            throw TemplateError.of("too many arguments" + shown);
        }
        Map<String, Object> rest = new LinkedHashMap<>(named);
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            String[] parts = names[i].split("=", 2);
            if (i < positional.size()) {
                values.put(parts[0], positional.get(i));
            } else if (rest.containsKey(parts[0]) && !parameters.endsWith("/")) {
                values.put(parts[0], rest.remove(parts[0]));
            } else if (parts.length == 2) {
                values.put(parts[0], constant(parts[1]));
            } else {
                throw TemplateError.of("missing argument '" + parts[0] + "'" + shown);
            }
        }
        if (!rest.isEmpty()) {
            String name = rest.keySet().iterator().next();
            boolean isKnown = values.containsKey(name) && !name.equals("value");
            throw TemplateError.of((!isKnown
                            ? "unknown argument '"
                            : parameters.endsWith("/")
                                    ? "an argument that cannot be given by name, '"
                                    : "duplicate argument '")
                    + name + "'" + shown);
        }
        return new Bound(function, values, run);
    }

    private static Object constant(String written) {
        return switch (written) {
            case "0.0" -> 0.0;
            case "None" -> None.NONE;
            case "True" -> true;
            case "False" -> false;
            default ->
                written.startsWith("'")
                        ? Text.of(written.substring(1, written.length() - 1))
                        : (Object) Long.valueOf(written);
        };
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

        /** What a filter, a test or a method is applied to. */
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
