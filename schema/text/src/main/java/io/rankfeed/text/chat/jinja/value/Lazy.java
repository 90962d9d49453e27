package io.rankfeed.text.chat.jinja.value;

import java.util.Iterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A generator or an iterator of Python: its items come once, each computed when it is asked for, and have no number. */
public final class Lazy implements Iterator<Object> {
    private final Supplier<Iterator<Object>> source;
    private @Nullable Iterator<Object> items;

    /** @param source is asked when the first item is */
    public Lazy(Supplier<Iterator<Object>> source) {
        this.source = source;
    }

    public static Lazy mapped(Supplier<Iterator<Object>> source, Function<Object, Object> function) {
        return new Lazy(() -> stream(source).map(function).iterator());
    }

    public static Lazy filtered(Supplier<Iterator<Object>> source, Predicate<Object> predicate) {
        return new Lazy(() -> stream(source).filter(predicate).iterator());
    }

    private static Stream<Object> stream(Supplier<Iterator<Object>> source) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(source.get(), 0), false);
    }

    private Iterator<Object> items() {
        if (items == null) {
            items = source.get();
        }
        return items;
    }

    @Override
    public boolean hasNext() {
        return items().hasNext();
    }

    @Override
    public Object next() {
        return items().next();
    }
}
