package io.rankfeed.text.chat.jinja.value;

import java.util.AbstractList;
import java.util.List;

/** A tuple: equal to other tuples alone. */
public class Tuple extends AbstractList<Object> {
    private final List<Object> items;

    public Tuple(List<Object> items) {
        this.items = items;
    }

    public static Tuple of(Object... items) {
        return new Tuple(List.of(items));
    }

    @Override
    public Object get(int index) {
        return items.get(index);
    }

    @Override
    public int size() {
        return items.size();
    }
}
