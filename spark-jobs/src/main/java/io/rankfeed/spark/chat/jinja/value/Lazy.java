package io.rankfeed.spark.chat.jinja.value;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Predicate;

/** A generator or an iterator of Python: its items come once, each computed when it is asked for, and have no number. */
public final class Lazy implements Iterator<Object> {
    private final Iterator<Object> items;

    public Lazy(Iterator<Object> items) {
        this.items = items;
    }

    public static Lazy of(List<Object> items) {
        return new Lazy(items.iterator());
    }

    public static Lazy mapped(Iterator<Object> items, Function<Object, Object> function) {
        return new Lazy(new Iterator<>() {
            @Override
            public boolean hasNext() {
                return items.hasNext();
            }

            @Override
            public Object next() {
                return function.apply(items.next());
            }
        });
    }

    public static Lazy filtered(Iterator<Object> items, Predicate<Object> predicate) {
        return new Lazy(new Iterator<>() {
            private final List<Object> ahead = new ArrayList<>(1);

            @Override
            public boolean hasNext() {
                while (ahead.isEmpty() && items.hasNext()) {
                    Object item = items.next();
                    if (predicate.test(item)) {
                        ahead.add(item);
                    }
                }
                return !ahead.isEmpty();
            }

            @Override
            public Object next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return ahead.remove(0);
            }
        });
    }

    @Override
    public boolean hasNext() {
        return items.hasNext();
    }

    @Override
    public Object next() {
        return items.next();
    }
}
