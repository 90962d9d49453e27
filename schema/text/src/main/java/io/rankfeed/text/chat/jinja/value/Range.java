package io.rankfeed.text.chat.jinja.value;

import java.util.AbstractList;

/** A {@code range}, limited as Jinja's sandbox does. */
public final class Range extends AbstractList<Object> {
    private static final long MAX_ITEMS = 100_000;

    private final long start;
    private final long stop;
    private final long step;
    private final int size;

    public Range(long start, long stop, long step) {
        if (step == 0) {
            throw TemplateError.of("the step of range() is 0");
        }
        this.start = start;
        this.stop = stop;
        this.step = step;
        long count = step > 0 ? -Math.floorDiv(start - stop, step) : -Math.floorDiv(stop - start, -step);
        if (count > MAX_ITEMS) {
            throw TemplateError.of("a range has more than " + MAX_ITEMS + " items");
        }
        size = (int) Math.max(0, count);
    }

    @Override
    public Object get(int index) {
        return start + index * step;
    }

    @Override
    public int size() {
        return size;
    }

    /** The range of some of its items. */
    public Range sliced(int begin, int end, int by) {
        return new Range(start + begin * step, start + end * step, step * by);
    }

    @Override
    public String toString() {
        return "range(" + start + ", " + stop + (step == 1 ? "" : ", " + step) + ")";
    }
}
