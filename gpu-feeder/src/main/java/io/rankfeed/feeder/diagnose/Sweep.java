package io.rankfeed.feeder.diagnose;

import io.rankfeed.report.Picture;
import io.rankfeed.report.Picture.Anchor;
import io.rankfeed.report.Picture.Point;
import io.rankfeed.report.Report;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The throughput of one feed by its settings: threads of the feeder, and slots of its rings.
 *
 * @param runs one for each setting, at least one
 */
public record Sweep(List<Run> runs) {
    /** Threads that help with a batch. */
    public static final List<Integer> WORKERS = List.of(0, 1, 2, 4, 8);

    /** Slots of a ring: one that the trainer has, and 1, 2, 4 or 8 batches ahead of it. */
    public static final List<Integer> DEPTHS = List.of(2, 3, 5, 9);

    /** Settings whose throughput differs by less are equal; of those the one with the fewest slots is best. */
    private static final double SAME = 0.03;

    private static final int CELL = 78;
    private static final int LINE = 40;
    private static final int LEFT = 90;
    private static final int TOP = 56;
    private static final int GRAPH = 240;

    /** @param rowsPerSecond of all ranks of the node */
    public record Run(int workers, int depth, double rowsPerSecond) {}

    public Sweep {
        runs = List.copyOf(runs);
    }

    /** The setting to choose. */
    public Run best() {
        double most = runs.stream().mapToDouble(Run::rowsPerSecond).max().orElseThrow();
        return runs.stream()
                .filter(run -> run.rowsPerSecond() >= (1 - SAME) * most)
                .min(Comparator.comparingInt(Run::depth).thenComparingInt(Run::workers))
                .orElseThrow();
    }

    /** The throughput in comparison with that of no threads and two slots; 1 where that was not measured. */
    double speedup(Run run) {
        return runs.stream()
                .filter(base -> base.workers() == 0 && base.depth() == 2 && base.rowsPerSecond() > 0)
                .findFirst()
                .map(base -> run.rowsPerSecond() / base.rowsPerSecond())
                .orElse(1.0);
    }

    /** One line for each setting, with a header. */
    public String csv() {
        StringBuilder csv = new StringBuilder("workers,depth,rows_per_second,speedup\n");
        runs.forEach(run -> csv.append(String.format(
                Locale.ROOT, "%d,%d,%.1f,%.3f%n", run.workers(), run.depth(), run.rowsPerSecond(), speedup(run))));
        return csv.toString();
    }

    /**
     * A feed file with the best setting.
     *
     * @param given the text of the feed file that was measured; may be empty
     */
    public String feedFile(String given) {
        StringBuilder text = new StringBuilder();
        text.append("workers: ").append(best().workers()).append('\n');
        text.append("depth: ").append(best().depth()).append('\n');
        given.lines().filter(line -> !line.matches("(workers|depth)\\s*:.*")).forEach(line -> text.append(line)
                .append('\n'));
        return text.toString();
    }

    /** @param feed its name */
    public Report report(String feed) {
        Report report = new Report();
        Run best = best();
        report.answer(String.format(
                        Locale.ROOT,
                        "best: --workers %d --depth %d: %,.0f rows/s, %.2f times as fast as with --workers 0 --depth 2",
                        best.workers(),
                        best.depth(),
                        best.rowsPerSecond(),
                        speedup(best)))
                .answer(
                        "settings within 3 % are equal; of those the one with the fewest slots, then the fewest workers, is best");
        report.fact("feed", feed)
                .fact("bestWorkers", (long) best.workers())
                .fact("bestDepth", (long) best.depth())
                .fact("bestRowsPerSecond", best.rowsPerSecond());
        Report.Table table = report.table("settings", "workers", "depth", "rowsPerSecond", "speedup");
        runs.forEach(run -> table.add((long) run.workers(), (long) run.depth(), run.rowsPerSecond(), speedup(run)));
        report.picture("heat-map", heatMap(feed));
        report.picture("curve", curve(feed));
        return report;
    }

    private List<Integer> workers() {
        return runs.stream().map(Run::workers).distinct().sorted().toList();
    }

    private List<Integer> depths() {
        return runs.stream().map(Run::depth).distinct().sorted().toList();
    }

    private double most() {
        return runs.stream().mapToDouble(Run::rowsPerSecond).max().orElse(1);
    }

    /** A cell for each setting, the darker the faster; the best one has a frame. */
    private Picture heatMap(String feed) {
        List<Integer> columns = workers();
        List<Integer> lines = depths();
        Picture picture = new Picture(LEFT + columns.size() * CELL + 20, TOP + lines.size() * LINE + 20);
        picture.text(10, 20, "rows/s of feed " + feed + ": workers to the right, depth downwards", Anchor.START);
        for (int column = 0; column < columns.size(); column++) {
            picture.text(LEFT + (column + 0.5) * CELL, TOP - 8.0, columns.get(column) + " workers", Anchor.MIDDLE);
        }
        for (int line = 0; line < lines.size(); line++) {
            picture.text(LEFT - 10.0, TOP + line * LINE + 25.0, "depth " + lines.get(line), Anchor.END);
        }
        for (Run run : runs) {
            double x = LEFT + columns.indexOf(run.workers()) * (double) CELL;
            double y = TOP + lines.indexOf(run.depth()) * (double) LINE;
            double share = run.rowsPerSecond() / Math.max(most(), Double.MIN_NORMAL);
            String value = String.format(Locale.ROOT, "%,.0f", run.rowsPerSecond());
            picture.rectangle(x, y, CELL - 2.0, LINE - 2.0, shade(share), value + " rows/s");
            if (run.equals(best())) {
                double right = x + CELL - 2;
                double bottom = y + LINE - 2;
                picture.line(
                        List.of(
                                new Point(x, y),
                                new Point(right, y),
                                new Point(right, bottom),
                                new Point(x, bottom),
                                new Point(x, y)),
                        0xD55E00,
                        3);
            }
            picture.text(x + CELL / 2.0, y + 24, value, Anchor.MIDDLE);
        }
        return picture;
    }

    /** From white to a light blue on which black text is legible. */
    private static int shade(double share) {
        int red = (int) Math.round(255 - share * (255 - 0x56));
        int green = (int) Math.round(255 - share * (255 - 0xB4));
        int blue = (int) Math.round(255 - share * (255 - 0xE9));
        return red << 16 | green << 8 | blue;
    }

    /** Throughput by workers, a line for each depth. */
    private Picture curve(String feed) {
        List<Integer> columns = workers();
        List<Integer> colors = List.of(0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7);
        int width = Math.max(1, columns.size() - 1) * CELL;
        Picture picture = new Picture(LEFT + width + 140, TOP + GRAPH + 50);
        picture.text(10, 20, "rows/s of feed " + feed + " by workers", Anchor.START);
        picture.line(
                List.of(new Point(LEFT, TOP), new Point(LEFT, TOP + GRAPH), new Point(LEFT + width, TOP + GRAPH)),
                0,
                1);
        picture.text(LEFT - 8.0, TOP + 5.0, String.format(Locale.ROOT, "%,.0f", most()), Anchor.END);
        picture.text(LEFT - 8.0, TOP + GRAPH + 5.0, "0", Anchor.END);
        for (int column = 0; column < columns.size(); column++) {
            picture.text(
                    LEFT + column * (double) CELL,
                    TOP + GRAPH + 18.0,
                    columns.get(column).toString(),
                    Anchor.MIDDLE);
        }
        int number = 0;
        for (int depth : depths()) {
            List<Point> points = new ArrayList<>();
            runs.stream()
                    .filter(run -> run.depth() == depth)
                    .sorted(Comparator.comparingInt(Run::workers))
                    .forEach(run -> points.add(new Point(
                            LEFT + columns.indexOf(run.workers()) * (double) CELL,
                            TOP + GRAPH * (1 - run.rowsPerSecond() / Math.max(most(), Double.MIN_NORMAL)))));
            int color = colors.get(number % colors.size());
            picture.line(points, color, 2);
            picture.rectangle(LEFT + width + 16.0, TOP + number * 20.0, 12, 12, color, "");
            picture.text(LEFT + width + 34.0, TOP + number * 20.0 + 11, "depth " + depth, Anchor.START);
            number++;
        }
        return picture;
    }
}
