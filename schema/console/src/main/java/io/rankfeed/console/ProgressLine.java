package io.rankfeed.console;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Shows the state of something that takes long: one line that is redrawn in place on a terminal, a line every few seconds
 * elsewhere. Callers synchronize.
 */
public final class ProgressLine {
    private static final Duration BAR_EVERY = Duration.ofMillis(250);
    private static final Duration LINE_EVERY = Duration.ofSeconds(5);
    private static final int BAR_CHARS = 24;

    /** The form in which the state is shown. */
    public enum Shape {
        BAR,
        LINES,
        NOTHING
    }

    private final PrintStream out;
    private final Log log;
    private final Shape shape;
    private final LongSupplier nanoTime;
    private long shownNanos;
    private boolean barShown;

    public ProgressLine(PrintStream out, ProgressStyle style) {
        this(out, LogLines.text(out), style);
    }

    /**
     * @param out where a bar is drawn
     * @param log of lines
     */
    public ProgressLine(PrintStream out, Log log, ProgressStyle style) {
        this(
                out,
                log,
                style == ProgressStyle.NONE ? Shape.NOTHING : style.isBar() ? Shape.BAR : Shape.LINES,
                System::nanoTime);
    }

    public ProgressLine(PrintStream out, Shape shape, LongSupplier nanoTime) {
        this(out, LogLines.text(out), shape, nanoTime);
    }

    private ProgressLine(PrintStream out, Log log, Shape shape, LongSupplier nanoTime) {
        this.out = out;
        this.log = log;
        this.shape = shape;
        this.nanoTime = nanoTime;
        this.shownNanos = nanoTime.getAsLong();
    }

    /** Whether nothing is ever shown. */
    public boolean isSilent() {
        return shape == Shape.NOTHING;
    }

    /** The time between two states that are shown. */
    public Duration interval() {
        return shape == Shape.BAR ? BAR_EVERY : LINE_EVERY;
    }

    /** Whether the next state would be shown. */
    public boolean isDue() {
        return shape != Shape.NOTHING
                && nanoTime.getAsLong() - shownNanos >= interval().toNanos();
    }

    /** @param part of the whole, 0 to 1 */
    public void show(double part, String state) {
        show(part, LogEvent.info(state));
    }

    /** @param part of the whole, 0 to 1 */
    public void show(double part, LogEvent state) {
        shownNanos = nanoTime.getAsLong();
        if (shape == Shape.BAR) {
            int filled = (int) (BAR_CHARS * Math.max(0, Math.min(1, part)));
            PrintableStream.redraw(
                    out, "[" + "#".repeat(filled) + ".".repeat(BAR_CHARS - filled) + "] " + state.message());
            barShown = true;
        } else if (shape == Shape.LINES) {
            log.write(state);
        }
    }

    /** Removes the bar. */
    public void clear() {
        if (barShown) {
            PrintableStream.redraw(out, "");
            barShown = false;
        }
    }

    /** Prints a line in place of the bar. */
    public void line(String text) {
        line(LogEvent.info(text));
    }

    /** Prints a line in place of the bar. */
    public void line(LogEvent event) {
        clear();
        if (shape != Shape.NOTHING) {
            log.write(event);
        }
    }
}
