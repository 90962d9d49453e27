package io.rankfeed.export.petastorm;

/** The two ways in which text is on a pickle's line. */
final class PickleText {
    private PickleText() {}

    /** Python 2's {@code repr} of a string, with its quotes. */
    static String quoted(String line, PickleBytes in) throws PickleDamage {
        int end = line.length() - 1;
        if (end < 1 || line.charAt(0) != line.charAt(end) || "'\"".indexOf(line.charAt(0)) < 0) {
            throw in.damage("has a string without quotes");
        }
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < end; i++) {
            char c = line.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            if (++i >= end) {
                throw in.damage("has a string that ends in a backslash");
            }
            switch (line.charAt(i)) {
                case '\\', '\'', '"' -> text.append(line.charAt(i));
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'x' -> {
                    text.append((char) hex(line, i + 1, 2, end, in));
                    i += 2;
                }
                default -> throw in.damage("has a string with an unknown escape");
            }
        }
        return text.toString();
    }

    /** Python's {@code raw-unicode-escape}: a backslash counts only before u and U. */
    static String escaped(String line, PickleBytes in) throws PickleDamage {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            char next = i + 1 < line.length() ? line.charAt(i + 1) : ' ';
            if (c == '\\' && (next == 'u' || next == 'U')) {
                int digits = next == 'u' ? 4 : 8;
                int point = hex(line, i + 2, digits, line.length(), in);
                if (!Character.isValidCodePoint(point)) {
                    throw in.damage("has an escape of no character");
                }
                text.appendCodePoint(point);
                i += 1 + digits;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static int hex(String line, int from, int digits, int end, PickleBytes in) throws PickleDamage {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = i < end ? Character.digit(line.charAt(i), 16) : -1;
            if (digit < 0) {
                throw in.damage("has an escape that ends early");
            }
            value = (value << 4) | digit;
        }
        return value;
    }
}
