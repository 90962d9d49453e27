package io.rankfeed.report;

import io.rankfeed.report.Picture.Anchor;
import io.rankfeed.report.Picture.Point;
import io.rankfeed.sampling.simulate.Simulation;
import java.util.ArrayList;
import java.util.List;

/** A simulated run drawn: which share of the rows each stratum has, step by step, and how much of the pools was seen. */
public final class SimulationPicture {
    private static final int WIDTH = 900;
    private static final int LEFT = 60;
    private static final int RIGHT = 200;
    private static final int TOP = 40;
    private static final int PANEL = 220;
    private static final int GAP = 70;

    private final Picture picture = new Picture(WIDTH, TOP + 2 * PANEL + GAP + 50);
    private final String feed;
    private final Simulation simulation;

    private SimulationPicture(String feed, Simulation simulation) {
        this.feed = feed;
        this.simulation = simulation;
    }

    public static Picture of(String feed, long steps, Simulation simulation) {
        SimulationPicture drawing = new SimulationPicture(feed, simulation);
        drawing.strata(steps);
        drawing.coverage();
        return drawing.picture;
    }

    private void strata(long steps) {
        picture.text(LEFT, TOP - 14, feed + ": share of each stratum in the rows drawn", Anchor.START);
        List<String> names =
                simulation.strata().stream().map(Simulation.Visits::name).toList();
        SharesPanel panel = new SharesPanel(picture, names, LEFT, WIDTH - RIGHT, TOP, PANEL);
        List<List<Long>> stretches = simulation.drawn();
        double count = stretches.size();
        for (int i = 0; i < stretches.size(); i++) {
            panel.stretch(i / count, (i + 1) / count, stretches.get(i));
        }
        panel.legend();
        axes(TOP);
        picture.text(LEFT, TOP + PANEL + 16, "step 0", Anchor.START);
        picture.text(WIDTH - RIGHT, TOP + PANEL + 16, Long.toString(steps), Anchor.END);
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
        picture.line(byChance, SharesPanel.OTHERS, 2);
        picture.line(seen, SharesPanel.COLORS.get(0), 2.5);
        axes(top);
        picture.text(LEFT, top + PANEL + 16, "epoch 0", Anchor.START);
        picture.text(WIDTH - RIGHT, top + PANEL + 16, Integer.toString(epochs), Anchor.END);
    }

    private void axes(int top) {
        picture.line(
                List.of(new Point(LEFT, top), new Point(LEFT, top + PANEL), new Point(WIDTH - RIGHT, top + PANEL)),
                Picture.INK,
                1);
        for (int percent = 0; percent <= 100; percent += 25) {
            picture.text(LEFT - 6, top + PANEL * (1 - percent / 100.0) + 4, percent + " %", Anchor.END);
        }
    }
}
