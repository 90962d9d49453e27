package io.rankfeed.text.chat.jinja.value;

import java.util.Collection;

/** Writes values with the values in them; marks of texts are kept. */
public abstract class Writer {
    protected final Budget budget;
    protected final Text.Builder out = new Text.Builder();
    private final String itemSeparator;
    private final String keySeparator;

    protected Writer(Budget budget, String itemSeparator, String keySeparator) {
        this.budget = budget;
        this.itemSeparator = itemSeparator;
        this.keySeparator = keySeparator;
    }

    protected final void write(Object value, int depth) {
        budget.step();
        budget.allocate(16);
        Budget.requireDepth(depth);
        if (value instanceof Double) {
            budget.steps(20);
        }
        writeValue(value, depth);
    }

    protected abstract void writeValue(Object value, int depth);

    /** Writes a key of a dict. */
    protected abstract void writeKey(Object key, int depth);

    /** Called before each item, and before the end of several, with the depth of what follows. */
    protected void breakLine(int depth) {}

    /** @param items values, or entries of a dict */
    protected final void items(String begin, Collection<?> items, String end, int depth) {
        out.append(begin);
        String separator = "";
        for (Object item : items) {
            out.append(separator);
            breakLine(depth + 1);
            if (item instanceof Dict.Entry entry) {
                writeKey(entry.key(), depth + 1);
                out.append(keySeparator);
                write(entry.value(), depth + 1);
            } else {
                write(item, depth + 1);
            }
            separator = itemSeparator;
        }
        if (!items.isEmpty()) {
            breakLine(depth);
        }
        out.append(end);
    }
}
