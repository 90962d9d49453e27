package io.rankfeed.report;

import io.rankfeed.report.Picture.Anchor;
import io.rankfeed.report.Picture.Point;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/** Draws a plan from its numbers alone: strata by stage, and the caches by lane. */
public final class PlanPictures {
    private static final int WIDTH = 900;
    private static final int LEFT = 60;
    private static final int RIGHT = 700;
    private static final int TOP = 16;
    private static final int SHARES = 200;
    private static final int LANES = 110;
    /** The maximum number of segments that are drawn on their own; narrower ones are drawn together. */
    private static final int MAX_STRETCHES = 640;

    private PlanPictures() {}

    /** Shares of the strata, from the first step to the last. */
    public static Picture stages(TrainFeed feed) {
        Picture picture = new Picture(WIDTH, TOP + SHARES + 30);
        List<String> names = feed.strata().stream().map(Stratum::name).toList();
        SharesPanel panel = new SharesPanel(picture, names, LEFT, RIGHT, TOP, SHARES);
        double steps = feed.steps();
        List<Segment> segments = feed.segments();
        int every = 1 + segments.size() / MAX_STRETCHES;
        for (int i = 0; i < segments.size(); i += every) {
            Segment last = segments.get(Math.min(i + every, segments.size()) - 1);
            panel.stretch(
                    segments.get(i).step() / steps,
                    (last.step() + last.steps()) / steps,
                    segments.get(i).quotas());
        }
        panel.legend();
        for (int percent = 0; percent <= 100; percent += 25) {
            picture.text(LEFT - 6, TOP + SHARES * (1 - percent / 100.0) + 4, percent + " %", Anchor.END);
        }
        picture.text(LEFT, TOP + SHARES + 18, "step 0", Anchor.START);
        picture.text(RIGHT, TOP + SHARES + 18, String.format(Locale.ROOT, "%,d", (long) steps), Anchor.END);
        return picture;
    }

    /** @param rows by lane */
    public static Picture lanes(SortedMap<Long, Long> rows, int lanes) {
        Picture picture = new Picture(WIDTH, TOP + LANES + 30);
        long max = rows.values().stream().mapToLong(count -> count).max().orElse(1);
        double width = (double) (WIDTH - LEFT - 10) / lanes;
        double gap = Math.min(2, width / 5);
        rows.forEach((lane, count) -> {
            double height = (double) LANES * count / Math.max(1, max);
            String title = "lane " + lane + ": " + Plural.counted(count, "row");
            picture.rectangle(
                    LEFT + lane * width, TOP + LANES - height, width - gap, height, SharesPanel.COLORS.get(0), title);
        });
        picture.line(List.of(new Point(LEFT, TOP + LANES), new Point(WIDTH - 10, TOP + LANES)), Picture.INK, 1);
        picture.text(LEFT - 6, TOP + 8, String.format(Locale.ROOT, "%,d", max), Anchor.END);
        picture.text(LEFT - 6, TOP + LANES, "0", Anchor.END);
        picture.text(LEFT, TOP + LANES + 18, "lane 0", Anchor.START);
        picture.text(WIDTH - 10, TOP + LANES + 18, Integer.toString(lanes - 1), Anchor.END);
        return picture;
    }
}
