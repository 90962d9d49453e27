package io.rankfeed.spark.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What Python's strings and numbers do, as far as templates use it. */
final class PythonText {
    private static final double LEAST_EXPONENT = 1e16;
    private static final double LEAST_PLAIN = 1e-4;

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
            String plain = new java.math.BigDecimal(Double.toString(value)).toPlainString();
            return plain.contains(".") ? plain : plain + ".0";
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
            case "strip/0" -> text.strip();
            case "lstrip/0" -> text.stripLeading();
            case "rstrip/0" -> text.stripTrailing();
            case "strip/1" -> strippedEnd(strippedStart(text, first), first);
            case "lstrip/1" -> strippedStart(text, first);
            case "rstrip/1" -> strippedEnd(text, first);
            case "startswith/1" -> text.startsWith(first);
            case "endswith/1" -> text.endsWith(first);
            case "upper/0" -> text.toUpperCase(Locale.ROOT);
            case "lower/0" -> text.toLowerCase(Locale.ROOT);
            case "capitalize/0" ->
                text.isEmpty()
                        ? text
                        : text.substring(0, 1).toUpperCase(Locale.ROOT)
                                + text.substring(1).toLowerCase(Locale.ROOT);
            case "split/0" -> words(text);
            case "split/1" -> parts(text, first, -1);
            case "replace/2" -> text.replace(first, arguments.get(1));
            case "find/1" -> (long) text.indexOf(first);
            default -> throw new UnsupportedOperationException(name);
        };
    }

    private static List<String> words(String text) {
        String stripped = text.strip();
        return stripped.isEmpty() ? new ArrayList<>() : new ArrayList<>(List.of(stripped.split("\\s+")));
    }

    static List<String> parts(String text, String separator, int limit) {
        return new ArrayList<>(List.of(text.split(Pattern.quote(separator), limit)));
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
