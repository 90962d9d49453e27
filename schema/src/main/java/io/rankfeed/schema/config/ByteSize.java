package io.rankfeed.schema.config;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A size as users write it: {@code 512 B}, {@code 64 KiB}, {@code 1 MiB}, {@code 2 GiB}, {@code 1 TiB}; the space may be
 * left out. Nothing else: whether "m" or "MB" means 10^6 or 2^20 is a guess that nobody should have to make.
 *
 * @param bytes at least 0
 */
public record ByteSize(long bytes) {
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
    private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,18}) ?(B|KiB|MiB|GiB|TiB)");
    private static final Pattern NEARLY = Pattern.compile("([0-9]{1,18})\\s*([bkmgtBKMGT]?)[iI]?[bB]?(?:ytes?)?");

    public ByteSize {
        if (bytes < 0) {
            throw new BadValue("", "a size is not negative: " + bytes);
        }
    }

    /** @throws BadValue if this is not a size; its message has the nearest that is */
    public static ByteSize parse(String text) {
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            throw new BadValue("", "'" + text + "' is not a size" + suggestion(text));
        }
        BigInteger bytes = new BigInteger(written.group(1)).shiftLeft(10 * UNITS.indexOf(written.group(2)));
        if (bytes.bitLength() > 63) {
            throw new BadValue("", "'" + text + "' is more than 2^63 bytes");
        }
        return new ByteSize(bytes.longValue());
    }

    /** Formats the size in the largest unit that leaves no remainder. */
    @Override
    public String toString() {
        int unit = 0;
        long count = bytes;
        while (count != 0 && count % 1024 == 0 && unit < UNITS.size() - 1) {
            count /= 1024;
            unit++;
        }
        return count + " " + UNITS.get(unit);
    }

    /** Bytes for a reader, not for a parser: {@code 1.5 MiB}. */
    public static String rounded(long bytes) {
        int unit = 0;
        double count = bytes;
        while (count >= 1024 && unit < UNITS.size() - 1) {
            count /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", count, UNITS.get(unit));
    }

    private static String suggestion(String text) {
        if (text.startsWith("-")) {
            return ": it is negative";
        }
        Matcher nearly = NEARLY.matcher(text.strip());
        if (!nearly.matches()) {
            return "; write a whole number and a unit, as in '1 MiB'";
        }
        int unit = "BKMGT".indexOf(nearly.group(2).toUpperCase(Locale.ROOT));
        return "; did you mean '" + nearly.group(1) + " " + UNITS.get(Math.max(0, unit)) + "'?";
    }
}
