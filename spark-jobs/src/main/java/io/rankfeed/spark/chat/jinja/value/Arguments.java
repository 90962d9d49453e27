package io.rankfeed.spark.chat.jinja.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call.
 *
 * @param named by keyword, in the order of the call
 */
public record Arguments(List<Object> positional, Map<String, Object> named) {
    public static final Arguments NONE = new Arguments(List.of(), Map.of());

    public static Arguments of(Object... positional) {
        return new Arguments(List.of(positional), Map.of());
    }

    /** With a value before the others: the one that a filter or a test is applied to. */
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
     * @param parameters such as {@code "value width=4 first=False"}: a default, where there is one, is an integer, a quoted
     *     text, True, False, None or nothing (then the value is null)
     */
    public Bound bind(String function, String parameters) {
        String[] names = parameters.isEmpty() ? new String[0] : parameters.split(" ");
        if (positional.size() > names.length) {
            throw TemplateError.of(
                    function + "() takes at most " + names.length + " arguments, not " + positional.size());
        }
        Map<String, Object> rest = new LinkedHashMap<>(named);
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            String[] parts = names[i].split("=", 2);
            if (i < positional.size()) {
                values.put(parts[0], positional.get(i));
            } else if (rest.containsKey(parts[0])) {
                values.put(parts[0], rest.remove(parts[0]));
            } else if (parts.length == 2) {
                values.put(parts[0], constant(parts[1]));
            } else {
                throw TemplateError.of(function + "() misses its argument '" + parts[0] + "'");
            }
        }
        if (!rest.isEmpty()) {
            throw TemplateError.of(function + "() has no argument '"
                    + rest.keySet().iterator().next() + "', or has it twice; it takes "
                    + Arrays.toString(names));
        }
        return new Bound(function, values);
    }

    private static @Nullable Object constant(String written) {
        return switch (written) {
            case "" -> null;
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
    public record Bound(String function, Map<String, @Nullable Object> values) {
        public Object get(String name) {
            Object value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException(name);
            }
            return value;
        }

        @Nullable
        public Object optional(String name) {
            return values.get(name);
        }

        public boolean isNone(String name) {
            return values.get(name) == None.NONE;
        }

        /** A text; of another type, an error. */
        public Text text(String name) {
            if (get(name) instanceof Text text) {
                return text;
            }
            throw wrong(name, "a string");
        }

        public int index(String name) {
            Object value = get(name);
            if (value instanceof Undefined undefined) {
                throw undefined.error();
            }
            return Numbers.index(value);
        }

        /** An integer used as a boolean; as in CPython it must fit an int of C. */
        public boolean flag(String name) {
            int value = index(name);
            if (Math.abs(value) == Integer.MAX_VALUE) {
                throw TemplateError.of(function + "(): '" + name + "' is too large");
            }
            return value != 0;
        }

        public boolean isTrue(String name) {
            return Values.isTrue(get(name));
        }

        public TemplateError wrong(String name, String expected) {
            return TemplateError.of(
                    function + "(): '" + name + "' must be " + expected + ", not " + Values.typeName(get(name)));
        }
    }
}
