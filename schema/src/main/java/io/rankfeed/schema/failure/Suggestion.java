package io.rankfeed.schema.failure;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The nearest right word to a wrong one. */
public final class Suggestion {
    private static final int MAX_WORD_CHARS = 200;

    private Suggestion() {}

    /** The known word nearest to {@code word}, if one is near enough to be meant; ties go to the first. */
    public static Optional<String> nearest(String word, Collection<String> known) {
        if (word.length() > MAX_WORD_CHARS) {
            return Optional.empty();
        }
        String written = plain(word);
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            String wanted = plain(candidate);
            int distance = distance(written, wanted);
            int tolerated = Math.max(1, Math.max(written.length(), wanted.length()) / 3);
            if (distance <= tolerated && distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** {@code "; did you mean 'x'?"}, or the list of what is known where nothing is near. */
    public static String hint(String word, Collection<String> known) {
        return nearest(word, known)
                .map(near -> "; did you mean '" + near + "'?")
                .orElseGet(() -> known.isEmpty() ? "" : "; known: " + String.join(", ", known));
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /** Edits (insert, delete, replace, swap of neighbors) between two words. */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : cell(d, a, b, i, j);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int cell(int[][] d, String a, String b, int i, int j) {
        int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int distance = Math.min(replaced, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(distance, d[i - 2][j - 2] + 1) : distance;
    }
}
