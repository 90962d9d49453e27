package io.rankfeed.schema.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A length of time as users write it: {@code 500 ms}, {@code 30 s}, {@code 5 min}, {@code 2 h}, {@code 1 d}. */
public final class DurationText {
    private static final Map<String, Duration> UNITS = new LinkedHashMap<>();
    private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,12}) ?(ms|s|min|h|d)");
    private static final Pattern NEARLY = Pattern.compile("([0-9]{1,12})\\s*(milli|m|s|h|d)?[a-z]*");

    static {
        UNITS.put("d", Duration.ofDays(1));
        UNITS.put("h", Duration.ofHours(1));
        UNITS.put("min", Duration.ofMinutes(1));
        UNITS.put("s", Duration.ofSeconds(1));
        UNITS.put("ms", Duration.ofMillis(1));
    }

    private DurationText() {}

    /** @throws BadValue if this is not a length of time */
    public static Duration parse(String text) {
        Matcher written = WRITTEN.matcher(text);
        Duration unit = written.matches() ? UNITS.get(written.group(2)) : null;
        if (unit == null) {
            throw new BadValue("", "'" + text + "' is not a length of time" + suggestion(text));
        }
        return unit.multipliedBy(Long.parseLong(written.group(1)));
    }

    /** Formats a duration in the largest unit that leaves no remainder; the smallest unit is a millisecond. */
    static String format(Duration duration) {
        for (Map.Entry<String, Duration> unit : UNITS.entrySet()) {
            long count = duration.dividedBy(unit.getValue());
            if (count > 0 && unit.getValue().multipliedBy(count).equals(duration)) {
                return count + " " + unit.getKey();
            }
        }
        return duration.toMillis() + " ms";
    }

    private static String suggestion(String text) {
        Matcher nearly = NEARLY.matcher(text.strip());
        if (!nearly.matches()) {
            return "; write a whole number and a unit (ms, s, min, h, d), as in '30 s'";
        }
        String unit = nearly.group(2) == null ? "s" : nearly.group(2);
        String meant = unit.equals("m") ? "min" : unit.equals("milli") ? "ms" : unit;
        return "; did you mean '" + nearly.group(1) + " " + meant + "'?";
    }
}
