package io.rankfeed.feeder.ranks;

import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ranks as a user writes them: {@code 0-3,6}. */
public final class RankList {
    private static final Pattern PART = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

    private RankList() {}

    /** @throws ConfigException if the text is not a list of ranks */
    public static SortedSet<Integer> parse(String text) {
        SortedSet<Integer> ranks = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part.strip());
            if (!matcher.matches()) {
                throw unfit(text);
            }
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (last < first) {
                throw unfit(text);
            }
            for (int rank = first; rank <= last; rank++) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    /** Formats ranks as {@link #parse} reads them, in as few parts as possible. */
    public static String text(SortedSet<Integer> ranks) {
        List<String> parts = new ArrayList<>();
        int first = -1;
        for (int rank : ranks) {
            first = ranks.contains(rank - 1) ? first : rank;
            if (!ranks.contains(rank + 1)) {
                parts.add(first == rank ? Integer.toString(rank) : first + "-" + rank);
            }
        }
        return String.join(",", parts);
    }

    /** Returns ranks 0 to {@code count} (exclusive). */
    public static SortedSet<Integer> below(int count) {
        SortedSet<Integer> ranks = new TreeSet<>();
        for (int rank = 0; rank < count; rank++) {
            ranks.add(rank);
        }
        return ranks;
    }

    private static ConfigException unfit(String text) {
        return new ConfigException("--ranks '" + text + "' is not a list of ranks; write 0-3 or 0,2,5-7");
    }
}
