package io.rankfeed.text.chat.jinja.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/** Methods of {@code str} on {@link Text}. Counts of characters are counts of code points, as in Python. */
public final class PythonStr {
    /** The characters that {@code str.isspace} accepts; Java's whitespace has no U+0085, U+00A0, U+2007 and U+202F. */
    public static final String SPACE =
            "\t\n\u000b\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003"
                    + "\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";

    private static final String LINE_ENDS = "\n\r\u000b\f\u001c\u001d\u001e\u0085\u2028\u2029";

    private PythonStr() {}

    public static String strip(String text) {
        int begin = 0;
        while (begin < text.length() && SPACE.indexOf(text.charAt(begin)) >= 0) {
            begin++;
        }
        return stripEnd(text.substring(begin));
    }

    public static String stripEnd(String text) {
        int end = text.length();
        while (end > 0 && SPACE.indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return text.substring(0, end);
    }

    /** The number of code points. */
    public static int length(Text text) {
        String chars = text.toString();
        return text.hasPairs() ? chars.codePointCount(0, chars.length()) : chars.length();
    }

    /** Java's index of the code point, of which there are at least as many. */
    public static int offset(Text text, int points) {
        return text.hasPairs() ? text.toString().offsetByCodePoints(0, points) : points;
    }

    /** Returns each character as a text. */
    public static List<Object> characters(Text text) {
        List<Object> all = new ArrayList<>(text.length());
        String chars = text.toString();
        Text plain = text.plain();
        for (int i = 0; i < chars.length(); ) {
            int end = i + Character.charCount(chars.codePointAt(i));
            all.add(plain.slice(i, end));
            i = end;
        }
        return all;
    }

    /** {@code text[begin:end:step]} for bounds that {@link Slices} has resolved. */
    public static Text sliced(Text text, int begin, int count, int step) {
        if (step == 1) {
            return text.slice(offset(text, begin), offset(text, begin + count));
        }
        List<Object> characters = characters(text);
        Text.Builder out = new Text.Builder();
        for (int i = 0; i < count; i++) {
            out.append((Text) characters.get(begin + i * step));
        }
        return text.isSafe() ? out.text().safe() : out.text();
    }

    /** Removes these characters from the chosen ends of a text. */
    public static Text strip(Text text, String characters, boolean atStart, boolean atEnd) {
        String chars = text.toString();
        int begin = 0;
        int end = chars.length();
        while (atStart && begin < end && has(characters, chars.codePointAt(begin))) {
            begin += Character.charCount(chars.codePointAt(begin));
        }
        while (atEnd && end > begin && has(characters, chars.codePointBefore(end))) {
            end -= Character.charCount(chars.codePointBefore(end));
        }
        return text.slice(begin, end);
    }

    private static boolean has(String characters, int point) {
        return characters.indexOf(point) >= 0;
    }

    /** @param max splits, from the start; -1 for all */
    public static List<Object> split(Text text, String separator, int max) {
        List<Object> parts = new ArrayList<>();
        int begin = 0;
        for (int at = text.toString().indexOf(separator);
                at >= 0 && parts.size() != max;
                at = text.toString().indexOf(separator, begin)) {
            parts.add(text.slice(begin, at));
            begin = at + separator.length();
        }
        parts.add(text.slice(begin, text.length()));
        return parts;
    }

    /** Splits at whitespace, as without a separator. */
    public static List<Object> words(Text text, int max) {
        List<Object> parts = new ArrayList<>();
        String chars = text.toString();
        int begin = pass(chars, 0, true);
        while (begin < chars.length() && parts.size() != max) {
            int end = pass(chars, begin, false);
            parts.add(text.slice(begin, end));
            begin = pass(chars, end, true);
        }
        if (begin < chars.length()) {
            parts.add(text.slice(begin, chars.length()));
        }
        return parts;
    }

    /** The index after the whitespace, or after what is none, that begins at an index. */
    private static int pass(String chars, int begin, boolean isSpace) {
        int end = begin;
        while (end < chars.length() && (SPACE.indexOf(chars.charAt(end)) >= 0) == isSpace) {
            end++;
        }
        return end;
    }

    /** Returns the lines of a text without their ends, as {@code str.splitlines} does. */
    public static List<Object> lines(Text text) {
        List<Object> lines = new ArrayList<>();
        String chars = text.toString();
        int begin = 0;
        for (int i = 0; i < chars.length(); i++) {
            if (LINE_ENDS.indexOf(chars.charAt(i)) >= 0) {
                int end = i + (chars.startsWith("\r\n", i) ? 2 : 1);
                lines.add(text.slice(begin, i));
                begin = end;
                i = end - 1;
            }
        }
        if (begin < chars.length()) {
            lines.add(text.slice(begin, chars.length()));
        }
        return lines;
    }

    /** @param max replacements; -1 for all */
    public static Text replace(Text text, Text old, Text other, int max, Budget budget) {
        String chars = text.toString();
        Text.Builder out = new Text.Builder();
        int begin = 0;
        int done = 0;
        if (old.isEmpty()) {
            // Before each character and at the end.
            for (int i = 0; i <= chars.length() && done != max; done++) {
                budget.allocate(other.length() + 16L);
                out.append(other);
                int end = i < chars.length() ? i + Character.charCount(chars.codePointAt(i)) : i;
                out.append(text, i, end);
                begin = end;
                i = end == i ? i + 1 : end;
            }
        } else {
            for (int at = chars.indexOf(old.toString());
                    at >= 0 && done != max;
                    at = chars.indexOf(old.toString(), begin)) {
                budget.allocate((long) at - begin + other.length() + 16);
                out.append(text, begin, at).append(other);
                begin = at + old.length();
                done++;
            }
        }
        return done == 0 ? text : out.append(text, begin, chars.length()).text();
    }

    public static Text upper(Text text) {
        return text.replaced(text.toString().toUpperCase(Locale.ROOT));
    }

    public static Text lower(Text text) {
        return text.replaced(text.toString().toLowerCase(Locale.ROOT));
    }

    public static Text capitalize(Text text) {
        if (text.isEmpty()) {
            return text;
        }
        int end = Character.charCount(text.toString().codePointAt(0));
        String lower = text.toString().toLowerCase(Locale.ROOT);
        String first = text.toString().substring(0, end);
        String rest = lower.substring(first.toLowerCase(Locale.ROOT).length());
        return text.replaced(titled(first) + rest);
    }

    /** The first letter of every word in title case, the others lower. */
    public static Text title(Text text) {
        String chars = text.toString();
        String lower = chars.toLowerCase(Locale.ROOT);
        if (lower.length() != chars.length()) {
            throw TemplateError.unsupported("title() of this text");
        }
        StringBuilder out = new StringBuilder();
        boolean inWord = false;
        for (int i = 0; i < chars.length(); ) {
            int point = chars.codePointAt(i);
            int end = i + Character.charCount(point);
            out.append(inWord ? lower.substring(i, end) : titled(chars.substring(i, end)));
            inWord = isCased(point);
            i = end;
        }
        return text.replaced(out.toString());
    }

    private static String titled(String character) {
        int point = character.codePointAt(0);
        String upper = character.toUpperCase(Locale.ROOT);
        if (upper.length() > character.length()) {
            // Such as ß, ŉ and ligatures, whose title case is not one character.
            throw TemplateError.unsupported("the title case of '" + character + "'");
        }
        return Character.toString(Character.toTitleCase(point));
    }

    private static boolean isCased(int point) {
        return Character.isUpperCase(point) || Character.isLowerCase(point) || Character.isTitleCase(point);
    }

    public static boolean isUpper(String text) {
        return text.codePoints().anyMatch(PythonStr::isCased)
                && text.codePoints().noneMatch(point -> Character.isLowerCase(point) || Character.isTitleCase(point));
    }

    public static boolean isLower(String text) {
        return text.codePoints().anyMatch(PythonStr::isCased)
                && text.codePoints().noneMatch(point -> Character.isUpperCase(point) || Character.isTitleCase(point));
    }

    /** Digits, and those above and below the line. */
    public static boolean isDigit(int point) {
        return Character.isDigit(point)
                || point == 0xB2
                || point == 0xB3
                || point == 0xB9
                || point == 0x2070
                || (point >= 0x2074 && point <= 0x2079)
                || (point >= 0x2080 && point <= 0x2089)
                || (point >= 0x2460 && point <= 0x2468);
    }

    /** Whether the text is not empty and all of its code points match, as Python's {@code str.is…} methods require. */
    public static boolean all(String text, IntPredicate predicate) {
        return !text.isEmpty() && text.codePoints().allMatch(predicate);
    }

    /** Returns the text between copies of {@code fill}; a negative number of copies counts as 0. */
    public static Text padded(Text text, int before, int after, String fill, Budget budget) {
        budget.allocate((long) text.length() + Math.max(0, before) + Math.max(0, after));
        return new Text.Builder()
                .append(fill.repeat(Math.max(0, before)))
                .append(text)
                .append(fill.repeat(Math.max(0, after)))
                .text();
    }

    public static Text join(Text separator, Iterable<Text> parts, Budget budget) {
        Text.Builder out = new Text.Builder();
        boolean isFirst = true;
        for (Text part : parts) {
            budget.allocate((long) separator.length() + part.length());
            out.append(isFirst ? Text.EMPTY : separator).append(part);
            isFirst = false;
        }
        return out.text();
    }

    /** Joins two texts; if only one is safe HTML, the other one is escaped, and the result is safe. */
    public static Text plus(Text left, Text right, Budget budget) {
        budget.allocate((long) left.length() + right.length());
        if (left.isSafe() == right.isSafe()) {
            Text joined = new Text.Builder().append(left).append(right).text();
            return left.isSafe() ? joined.safe() : joined;
        }
        Text begin = left.isSafe() ? left : escape(left, budget);
        Text end = right.isSafe() ? right : escape(right, budget);
        return new Text.Builder().append(begin).append(end).text().safe();
    }

    /** Replaces the characters that HTML reserves, as markupsafe does. */
    public static Text escape(Text text, Budget budget) {
        Text out = text;
        String[][] entities = {{"&", "&amp;"}, {">", "&gt;"}, {"<", "&lt;"}, {"'", "&#39;"}, {"\"", "&#34;"}};
        for (String[] entity : entities) {
            out = replace(out, Text.of(entity[0]), Text.of(entity[1]), -1, budget);
        }
        return out.safe();
    }
}
