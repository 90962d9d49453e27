package io.rankfeed.text.chat.jinja.value;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operations of Python on any value: truth, equality, order, iteration, text. Values are {@link Text}, Long,
 * BigInteger, Double, Boolean, {@link None}, List ({@link Tuple}, {@link Range}, else a list), {@link Dict}, {@link
 * View}, {@link Lazy}, {@link Undefined}, {@link Function} and {@link Namespace}.
 */
public final class Values {
    private Values() {}

    /** A value of JSON as Jackson or a caller has it. */
    public static Object of(@Nullable Object json) {
        return of(json, 0);
    }

    /** @param mark of its texts */
    public static Object of(@Nullable Object json, int mark) {
        if (json == null) {
            return None.NONE;
        } else if (json instanceof CharSequence text) {
            return Text.marked(text.toString(), mark);
        } else if (json instanceof Map<?, ?> map) {
            Dict dict = new Dict();
            map.forEach((key, value) -> dict.put(of(key, mark), of(value, mark)));
            return dict;
        } else if (json instanceof List<?> list) {
            List<Object> items = new ArrayList<>(list.size());
            list.forEach(item -> items.add(of(item, mark)));
            return items;
        } else if (json instanceof Integer || json instanceof Short || json instanceof Byte) {
            return ((Number) json).longValue();
        } else if (json instanceof Float || json instanceof java.math.BigDecimal) {
            return ((Number) json).doubleValue();
        }
        return json;
    }

    /** Returns the name that Python's {@code type} gives the value. */
    public static String typeName(Object value) {
        if (value instanceof Text) {
            return "str";
        } else if (value instanceof Boolean) {
            return "bool";
        } else if (value instanceof Double) {
            return "float";
        } else if (value instanceof Number) {
            return "int";
        } else if (value instanceof Tuple) {
            return "tuple";
        } else if (value instanceof Range) {
            return "range";
        } else if (value instanceof List) {
            return "list";
        } else if (value instanceof Dict) {
            return "dict";
        } else if (value instanceof View view) {
            return view.kind().toString();
        } else if (value instanceof Lazy) {
            return "generator";
        } else if (value == None.NONE) {
            return "NoneType";
        }
        return value instanceof Undefined ? "Undefined" : value instanceof Namespace ? "Namespace" : "function";
    }

    /** Whether Python takes the value for true. */
    public static boolean isTrue(Object value) {
        if (value instanceof Boolean bool) {
            return bool;
        } else if (value instanceof Text text) {
            return !text.isEmpty();
        } else if (value instanceof Long number) {
            return number != 0;
        } else if (value instanceof Double number) {
            return number != 0;
        } else if (value instanceof List<?> list) {
            return !list.isEmpty();
        } else if (value instanceof Dict dict) {
            return dict.size() > 0;
        } else if (value instanceof View view) {
            return view.dict().size() > 0;
        } else if (value instanceof LoopContext loop) {
            return loop.length() > 0;
        }
        return value != None.NONE && !(value instanceof Undefined);
    }

    /** {@code left == right}. */
    public static boolean isEqual(Object left, Object right, Budget budget) {
        return isEqual(left, right, budget, 0);
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isEqual(Object left, Object right, Budget budget, int depth) {
        budget.step();
        Budget.requireDepth(depth);
        if (left == right) {
            // As Python compares members; a NaN that is compared with itself is not a member.
            return !(depth == 0 && left instanceof Double real && Double.isNaN(real));
        } else if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            Integer order = Numbers.compare(left, right);
            return order != null && order == 0;
        } else if (left instanceof List<?> a && right instanceof List<?> b) {
            if (!typeName(left).equals(typeName(right)) || a.size() != b.size()) {
                return false;
            }
            for (int i = 0; i < a.size(); i++) {
                if (!isEqual(a.get(i), b.get(i), budget, depth + 1)) {
                    return false;
                }
            }
            return true;
        } else if (left instanceof Dict a && right instanceof Dict b) {
            if (a.size() != b.size()) {
                return false;
            }
            for (Dict.Entry entry : a.entries()) {
                Object other = b.get(entry.key());
                if (other == null || !isEqual(entry.value(), other, budget, depth + 1)) {
                    return false;
                }
            }
            return true;
        } else if (left instanceof View || right instanceof View) {
            throw TemplateError.unsupported("a comparison of dict views");
        }
        if (left instanceof Text text) {
            budget.steps(text.length() >> 4);
        }
        return left.equals(right);
    }

    /** Whether {@code left operator right} holds, for {@code <}, {@code <=}, {@code >}, {@code >=}. */
    public static boolean isOrdered(String operator, Object left, Object right, Budget budget) {
        Integer order = order(left, right, operator, budget, 0);
        if (order == null) {
            return false;
        }
        return switch (operator) {
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    /** Returns the order of two values as a comparator does; null if one of them is a NaN. */
    private static @Nullable Integer order(Object left, Object right, String operator, Budget budget, int depth) {
        budget.step();
        Budget.requireDepth(depth);
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return Numbers.compare(left, right);
        } else if (left instanceof Text a && right instanceof Text b) {
            budget.steps(Math.min(a.length(), b.length()) >> 4);
            return a.compareTo(b);
        } else if (left instanceof List<?> a
                && right instanceof List<?> b
                && !(left instanceof Range)
                && typeName(left).equals(typeName(right))) {
            for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
                if (!isEqual(a.get(i), b.get(i), budget, depth + 1)) {
                    return order(a.get(i), b.get(i), operator, budget, depth + 1);
                }
            }
            return Integer.compare(a.size(), b.size());
        }
        requireDefined(left);
        requireDefined(right);
        throw TemplateError.of("'" + operator + "' cannot compare a value of type " + typeName(left)
                + " and a value of type " + typeName(right));
    }

    /** Throws the error of an undefined value; does nothing for other values. */
    public static void requireDefined(Object value) {
        if (value instanceof Undefined undefined) {
            throw undefined.error();
        }
    }

    public static boolean isIterable(Object value) {
        return value instanceof Text
                || value instanceof List
                || value instanceof Dict
                || value instanceof View
                || value instanceof Lazy
                || value instanceof LoopContext
                || value instanceof Undefined;
    }

    /** The items of a value, one at a time. */
    @SuppressWarnings("unchecked")
    public static Iterator<Object> items(Object value, Budget budget) {
        if (value instanceof Lazy lazy) {
            return lazy;
        } else if (value instanceof List<?> list) {
            return (Iterator<Object>) list.iterator();
        }
        return list(value, budget).iterator();
    }

    /** A new list of the items. */
    @SuppressWarnings("unchecked")
    public static List<Object> list(Object value, Budget budget) {
        if (value instanceof List<?> list) {
            budget.elements(list.size());
            return new ArrayList<>((List<Object>) list);
        } else if (value instanceof Text text) {
            budget.elements(8L * text.length());
            return PythonStr.characters(text);
        } else if (value instanceof Dict dict) {
            budget.elements(dict.size());
            return dict.keys();
        } else if (value instanceof View view) {
            budget.elements(view.dict().size());
            return view.list();
        } else if (value instanceof LoopContext) {
            throw TemplateError.unsupported("a loop over 'loop'");
        } else if (value instanceof Lazy) {
            List<Object> items = new ArrayList<>();
            items(value, budget).forEachRemaining(item -> {
                budget.elements(1);
                budget.step();
                items.add(item);
            });
            return items;
        } else if (value instanceof Undefined) {
            return new ArrayList<>();
        }
        throw TemplateError.of("a value of type " + typeName(value) + " is not iterable");
    }

    /** {@code len(value)}. */
    public static long length(Object value) {
        if (value instanceof Text text) {
            return PythonStr.length(text);
        } else if (value instanceof List<?> list) {
            return list.size();
        } else if (value instanceof Dict dict) {
            return dict.size();
        } else if (value instanceof View view) {
            return view.dict().size();
        } else if (value instanceof LoopContext loop) {
            return loop.length();
        } else if (value instanceof Undefined) {
            return 0;
        }
        throw TemplateError.of("a value of type " + typeName(value) + " has no length");
    }

    /** {@code item in container}: the same object, or an equal one. */
    @SuppressWarnings("ReferenceEquality")
    public static boolean contains(Object container, Object item, Budget budget) {
        if (container instanceof Text text) {
            if (item instanceof Text part) {
                budget.search(text, List.of(part));
                return text.toString().contains(part.toString());
            }
            requireDefined(item);
            throw TemplateError.of("'in' requires a str on its left where a str is on its right, not a value of type "
                    + typeName(item));
        } else if (container instanceof Dict dict) {
            return dict.has(item);
        } else if (container instanceof View view && view.kind() == View.Kind.KEYS) {
            return view.dict().has(item);
        }
        Iterator<Object> items = items(container, budget);
        while (items.hasNext()) {
            Object next = items.next();
            if (next == item || isEqual(next, item, budget)) {
                return true;
            }
        }
        return false;
    }

    /** {@code str(value)}. */
    public static Text text(Object value, Budget budget) {
        if (value instanceof Text text) {
            return text.plain();
        } else if (value instanceof Undefined) {
            return Text.EMPTY;
        }
        return new Repr(budget).of(value);
    }
}
