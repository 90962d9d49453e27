package io.rankfeed.spark.chat;

import com.hubspot.jinjava.interpret.InterpretException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Values of templates, as Python compares and writes them: texts, numbers, booleans, lists, mappings, {@link PythonNone}, and null for
 * what is missing.
 */
final class PythonValues {
    /** What a generator of Python gives: it can be gone over and is true, but has no length. */
    record Lazy(List<?> items) {}

    private PythonValues() {}

    static InterpretException refused(String what) {
        return new InterpretException("unsupported: " + what);
    }

    /** {@code str(value)}; nothing of a missing value. */
    static String text(@Nullable Object value) {
        if (value == null) {
            return "";
        } else if (value instanceof Boolean bool) {
            return bool ? "True" : "False";
        } else if (value instanceof Double || value instanceof Float) {
            return PythonText.real(((Number) value).doubleValue());
        } else if (value instanceof CharSequence || value instanceof Number || value instanceof PythonNone) {
            return value.toString();
        }
        throw refused("the text of a list or a mapping; use tojson");
    }

    static boolean isTrue(@Nullable Object value) {
        if (value instanceof Boolean bool) {
            return bool;
        } else if (value instanceof Number number) {
            return number.doubleValue() != 0;
        } else if (value instanceof CharSequence text) {
            return !text.isEmpty();
        } else if (value instanceof Map<?, ?> map) {
            return !map.isEmpty();
        } else if (value instanceof List<?> list) {
            return !list.isEmpty();
        }
        return value != null && value != PythonNone.NONE;
    }

    static boolean isIterable(@Nullable Object value) {
        return value == null || value instanceof CharSequence || value instanceof List || value instanceof Map;
    }

    static boolean isEqual(@Nullable Object value, @Nullable Object other) {
        if (isNumber(value) && isNumber(other)) {
            return number(value) == number(other);
        } else if (value instanceof CharSequence text && other instanceof CharSequence otherText) {
            return text.toString().contentEquals(otherText);
        } else if (value instanceof List<?> list && other instanceof List<?> others) {
            boolean isEqual = list.size() == others.size();
            for (int i = 0; isEqual && i < list.size(); i++) {
                isEqual = isEqual(list.get(i), others.get(i));
            }
            return isEqual;
        } else if (value instanceof Map<?, ?> map && other instanceof Map<?, ?> others) {
            return map.keySet().equals(others.keySet())
                    && map.keySet().stream().allMatch(key -> isEqual(map.get(key), others.get(key)));
        }
        return Objects.equals(value, other);
    }

    static boolean isNumber(@Nullable Object value) {
        return value instanceof Number || value instanceof Boolean;
    }

    static double number(@Nullable Object value) {
        if (value instanceof Boolean bool) {
            return bool ? 1 : 0;
        } else if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw refused("an operator of numbers, of " + kind(value));
    }

    static long whole(@Nullable Object value) {
        if (value instanceof Long || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        throw refused("an operator of whole numbers, of " + kind(value));
    }

    static int compare(@Nullable Object value, @Nullable Object other) {
        if (value instanceof CharSequence text && other instanceof CharSequence otherText) {
            return Arrays.compare(
                    text.codePoints().toArray(), otherText.codePoints().toArray());
        }
        return Double.compare(number(value), number(other));
    }

    static boolean isIn(@Nullable Object value, @Nullable Object where) {
        if (where instanceof CharSequence text) {
            if (value instanceof CharSequence part) {
                return text.toString().contains(part);
            }
            throw refused("'in' a text, of " + kind(value));
        } else if (where instanceof Map && (value instanceof Map || value instanceof List)) {
            throw refused("'in' a mapping, of " + kind(value));
        }
        return items(where).stream().anyMatch(item -> isEqual(value, item));
    }

    /** What a loop goes over: items of a list, keys of a mapping, characters of a text, nothing of a missing value. */
    static List<?> items(@Nullable Object value) {
        if (value == null) {
            return List.of();
        } else if (value instanceof List<?> list) {
            return list;
        } else if (value instanceof Map<?, ?> map) {
            return new ArrayList<>(map.keySet());
        } else if (value instanceof CharSequence text) {
            return text.codePoints().mapToObj(Character::toString).toList();
        } else if (value instanceof Lazy lazy) {
            return lazy.items();
        }
        throw refused("items of " + kind(value));
    }

    static String kind(@Nullable Object value) {
        return value == null
                ? "a missing value"
                : value == PythonNone.NONE ? "None" : value.getClass().getSimpleName();
    }
}
