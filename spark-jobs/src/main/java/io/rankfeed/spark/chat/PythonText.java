package io.rankfeed.spark.chat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What Python's strings and numbers do, as far as templates use it. */
final class PythonText {
    private static final double LEAST_EXPONENT = 1e16;
    private static final double LEAST_PLAIN = 1e-4;

    /** What {@code str.isspace} accepts; Java's whitespace has no U+0085, U+00A0, U+2007 and U+202F. */
    private static final String SPACE =
            "\t\n\u000b\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003"
                    + "\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";

    private PythonText() {}

    /** {@code repr} of a float. */
    static String real(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        } else if (Double.isInfinite(value)) {
            return value > 0 ? "Infinity" : "-Infinity";
        }
        double size = Math.abs(value);
        if (size == 0 || (size >= LEAST_PLAIN && size < LEAST_EXPONENT)) {
            String plain = new BigDecimal(Double.toString(size)).toPlainString();
            return (Math.copySign(1, value) < 0 ? "-" : "") + (plain.contains(".") ? plain : plain + ".0");
        }
        String[] parts = Double.toString(value).split("E", 2);
        String mantissa = parts[0].endsWith(".0") ? parts[0].substring(0, parts[0].length() - 2) : parts[0];
        int exponent = Integer.parseInt(parts[1]);
        return mantissa + String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    /** A method of {@code str}; null where templates may not call it. */
    static Object method(String text, String name, List<String> arguments) {
        String first = arguments.isEmpty() ? "" : arguments.get(0);
        return switch (name + "/" + arguments.size()) {
            case "strip/0" -> strip(text);
            case "lstrip/0" -> strippedStart(text, SPACE);
            case "rstrip/0" -> strippedEnd(text, SPACE);
            case "strip/1" -> strippedEnd(strippedStart(text, first), first);
            case "lstrip/1" -> strippedStart(text, first);
            case "rstrip/1" -> strippedEnd(text, first);
            case "startswith/1" -> text.startsWith(first);
            case "endswith/1" -> text.endsWith(first);
            case "upper/0" -> text.toUpperCase(Locale.ROOT);
            case "lower/0" -> text.toLowerCase(Locale.ROOT);
            case "capitalize/0" -> capitalized(text);
            case "split/0" -> words(text);
            case "split/1" -> List.of(text.split(Pattern.quote(notEmpty(first, name)), -1));
            case "replace/2" -> text.replace(notEmpty(first, name), arguments.get(1));
            case "find/1" -> {
                int at = text.indexOf(first);
                yield at < 0 ? -1L : (long) text.codePointCount(0, at);
            }
            default -> throw new UnsupportedOperationException(name);
        };
    }

    /** Of what an empty text separates or replaces, Java and Python have different ideas. */
    private static String notEmpty(String text, String method) {
        if (text.isEmpty()) {
            throw new UnsupportedOperationException(method + " of an empty text");
        }
        return text;
    }

    private static String capitalized(String text) {
        if (text.isEmpty()) {
            return text;
        }
        String first = text.substring(0, text.offsetByCodePoints(0, 1));
        if (first.toUpperCase(Locale.ROOT)
                        .codePointCount(0, first.toUpperCase(Locale.ROOT).length())
                > 1) {
            throw new UnsupportedOperationException("capitalize of " + first);
        }
        String lower = text.toLowerCase(Locale.ROOT);
        return Character.toString(Character.toTitleCase(first.codePointAt(0)))
                + lower.substring(first.toLowerCase(Locale.ROOT).length());
    }

    /** Without the whitespace of Python at either end. */
    static String strip(String text) {
        return strippedEnd(strippedStart(text, SPACE), SPACE);
    }

    private static List<String> words(String text) {
        String stripped = strip(text);
        return stripped.isEmpty() ? List.of() : List.of(stripped.split("[" + SPACE + "]+"));
    }

    private static String strippedStart(String text, String characters) {
        int begin = 0;
        while (begin < text.length() && characters.indexOf(text.charAt(begin)) >= 0) {
            begin++;
        }
        return text.substring(begin);
    }

    private static String strippedEnd(String text, String characters) {
        int end = text.length();
        while (end > 0 && characters.indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return text.substring(0, end);
    }
}
