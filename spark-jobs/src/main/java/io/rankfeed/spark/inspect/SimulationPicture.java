package io.rankfeed.spark.inspect;

import io.rankfeed.sampling.Simulation;
import io.rankfeed.spark.inspect.Picture.Anchor;
import io.rankfeed.spark.inspect.Picture.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A simulated run drawn: which share of the rows each stratum has, step by step, and how much of the pools was seen. */
final class SimulationPicture {
    /** Colours that people with any common colour vision tell apart (Okabe and Ito, 2008), then a grey. */
    private static final int[] COLORS = {0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00, 0xF0E442};

    private static final int OTHERS = 0x999999;
    private static final int BLACK = 0x000000;
    private static final int WIDTH = 900;
    private static final int LEFT = 60;
    private static final int RIGHT = 200;
    private static final int TOP = 40;
    private static final int PANEL = 220;
    private static final int GAP = 70;
    private static final int LINE = 18;

    private final Picture picture = new Picture(WIDTH, TOP + 2 * PANEL + GAP + 50);
    private final String feed;
    private final Simulation simulation;

    private SimulationPicture(String feed, Simulation simulation) {
        this.feed = feed;
        this.simulation = simulation;
    }

    static Picture of(String feed, long steps, Simulation simulation) {
        SimulationPicture drawing = new SimulationPicture(feed, simulation);
        drawing.strata(steps);
        drawing.coverage();
        return drawing.picture;
    }

    private void strata(long steps) {
        picture.text(LEFT, TOP - 14, feed + ": share of each stratum in the rows drawn", Anchor.START);
        List<List<Long>> stretches = simulation.drawn();
        int named = Math.min(COLORS.length, simulation.strata().size());
        double width = (double) (WIDTH - LEFT - RIGHT) / stretches.size();
        for (int i = 0; i < stretches.size(); i++) {
            List<Long> drawn = stretches.get(i);
            double all = drawn.stream().mapToLong(Long::longValue).sum();
            double y = TOP + PANEL;
            long others = (long) all;
            for (int s = 0; s < named; s++) {
                others -= drawn.get(s);
                y = bar(
                        i,
                        width,
                        y,
                        drawn.get(s) / all,
                        COLORS[s],
                        simulation.strata().get(s).name());
            }
            bar(i, width, y, others / all, OTHERS, "others");
        }
        for (int s = 0; s < named; s++) {
            legend(s, COLORS[s], simulation.strata().get(s).name());
        }
        if (named < simulation.strata().size()) {
            legend(named, OTHERS, (simulation.strata().size() - named) + " others");
        }
        axes(TOP);
        picture.text(LEFT, TOP + PANEL + 16, "step 0", Anchor.START);
        picture.text(WIDTH - RIGHT, TOP + PANEL + 16, Long.toString(steps), Anchor.END);
    }

    private double bar(int stretch, double width, double bottom, double share, int color, String name) {
        double height = share * PANEL;
        if (height > 0) {
            String title = String.format(Locale.ROOT, "%s %.1f %%", name, 100 * share);
            picture.rectangle(LEFT + stretch * width, bottom - height, width, height, color, title);
        }
        return bottom - height;
    }

    private void legend(int line, int color, String name) {
        double y = TOP + line * LINE;
        picture.rectangle(WIDTH - RIGHT + 12, y, 12, 12, color, "");
        String shown = name.length() > 22 ? name.substring(0, name.offsetByCodePoints(0, 21)) + "…" : name;
        picture.text(WIDTH - RIGHT + 30, y + 11, shown, Anchor.START);
    }

    private void coverage() {
        int top = TOP + PANEL + GAP;
        picture.text(
                LEFT,
                top - 14,
                "share of the pools seen by the end of each epoch; grey: drawn with replacement, expected",
                Anchor.START);
        double pools =
                simulation.strata().stream().mapToLong(Simulation.Visits::rows).sum();
        List<Point> seen = new ArrayList<>(List.of(new Point(LEFT, top + PANEL)));
        List<Point> byChance = new ArrayList<>(seen);
        int epochs = simulation.epochs().size();
        for (int e = 0; e < epochs; e++) {
            double x = LEFT + (double) (WIDTH - LEFT - RIGHT) * (e + 1) / epochs;
            Simulation.Epoch epoch = simulation.epochs().get(e);
            seen.add(new Point(x, top + PANEL * (1 - epoch.seen() / pools)));
            byChance.add(new Point(x, top + PANEL * (1 - epoch.seenByChance() / pools)));
        }
        picture.line(byChance, OTHERS, 2);
        picture.line(seen, COLORS[0], 2.5);
        axes(top);
        picture.text(LEFT, top + PANEL + 16, "epoch 0", Anchor.START);
        picture.text(WIDTH - RIGHT, top + PANEL + 16, Integer.toString(epochs), Anchor.END);
    }

    private void axes(int top) {
        picture.line(
                List.of(new Point(LEFT, top), new Point(LEFT, top + PANEL), new Point(WIDTH - RIGHT, top + PANEL)),
                BLACK,
                1);
        for (int percent = 0; percent <= 100; percent += 25) {
            picture.text(LEFT - 6, top + PANEL * (1 - percent / 100.0) + 4, percent + " %", Anchor.END);
        }
    }
}
