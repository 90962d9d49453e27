package io.rankfeed.report;

import java.math.BigInteger;
import java.util.Comparator;

/**
 * The order in which people read names of strata: whole numbers by their value, 2 before 10, part by part. A plan numbers its
 * strata by the names' bytes.
 */
public final class StrataNames {
    public static final Comparator<String> FOR_PEOPLE = StrataNames::compare;

    private StrataNames() {}

    private static int compare(String a, String b) {
        String[] parts = a.split("/", -1);
        String[] others = b.split("/", -1);
        for (int i = 0; i < Math.min(parts.length, others.length); i++) {
            int compared = isWhole(parts[i]) && isWhole(others[i])
                    ? new BigInteger(parts[i]).compareTo(new BigInteger(others[i]))
                    : isWhole(parts[i]) != isWhole(others[i])
                            ? Boolean.compare(isWhole(others[i]), isWhole(parts[i]))
                            : parts[i].compareTo(others[i]);
            if (compared != 0) {
                return compared;
            }
        }
        return a.compareTo(b);
    }

    private static boolean isWhole(String part) {
        int from = part.startsWith("-") ? 1 : 0;
        return part.length() > from && part.chars().skip(from).allMatch(c -> c >= '0' && c <= '9');
    }
}
