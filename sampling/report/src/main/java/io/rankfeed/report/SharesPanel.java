package io.rankfeed.report;

import io.rankfeed.report.Picture.Anchor;
import java.util.List;
import java.util.Locale;

/**
 * A panel of stacked bars: which share of the rows each stratum has, stretch by stretch of a run.
 *
 * @param left of the bars; the legend is to the right of {@code right}
 */
public record SharesPanel(Picture picture, List<String> strata, int left, int right, int top, int height) {
    /** Colors that people with any common color vision distinguish (Okabe and Ito, 2008), then a grey. */
    public static final List<Integer> COLORS =
            List.of(0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00, 0xF0E442);

    static final int OTHERS = 0x999999;
    private static final int LINE = 18;
    private static final int MAX_LETTERS = 22;

    /**
     * Draws the bars of a stretch.
     *
     * @param from where it begins, as a part of the run
     * @param to where it ends
     * @param rows per stratum
     */
    void stretch(double from, double to, List<Long> rows) {
        double all = rows.stream().mapToLong(Long::longValue).sum();
        double bottom = top + height;
        long others = (long) all;
        for (int s = 0; s < named(); s++) {
            others -= rows.get(s);
            bottom = bar(from, to, bottom, rows.get(s) / all, color(s), strata.get(s));
        }
        bar(from, to, bottom, others / all, OTHERS, "others");
    }

    public void legend() {
        for (int s = 0; s < named(); s++) {
            legend(s, color(s), strata.get(s));
        }
        if (named() < strata.size()) {
            legend(named(), OTHERS, (strata.size() - named()) + " others");
        }
    }

    /**
     * Returns the number of strata that are drawn on their own. If there is one stratum more than colors, it is grey
     * itself, so that none are drawn together.
     */
    private int named() {
        return strata.size() <= COLORS.size() + 1 ? strata.size() : COLORS.size();
    }

    private static int color(int stratum) {
        return stratum < COLORS.size() ? COLORS.get(stratum) : OTHERS;
    }

    private double bar(double from, double to, double bottom, double share, int color, String name) {
        double barHeight = share * height;
        if (barHeight > 0) {
            String title = String.format(Locale.ROOT, "%s %.1f %%", name, 100 * share);
            double width = right - left;
            picture.rectangle(left + from * width, bottom - barHeight, (to - from) * width, barHeight, color, title);
        }
        return bottom - barHeight;
    }

    private void legend(int line, int color, String name) {
        double y = top + line * LINE;
        picture.rectangle(right + 12, y, 12, 12, color, "");
        boolean isLong = name.codePointCount(0, name.length()) > MAX_LETTERS;
        String shown = isLong ? name.substring(0, name.offsetByCodePoints(0, MAX_LETTERS - 1)) + "…" : name;
        picture.text(right + 30, y + 11, shown, Anchor.START);
    }
}
