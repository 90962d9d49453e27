package io.rankfeed.spark.file;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An iterator that computes one element ahead. An element that is reused is valid until {@link #hasNext} is called again.
 *
 * @param <T> of the elements
 */
public abstract class ComputedIterator<T> implements Iterator<T> {
    private @Nullable T next;
    private boolean ended;

    /** The next element; null at the end. */
    protected abstract @Nullable T compute();

    @Override
    public final boolean hasNext() {
        if (next == null && !ended) {
            next = compute();
            ended = next == null;
        }
        return next != null;
    }

    @Override
    public final T next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        T element = next;
        next = null;
        return element;
    }

    /** The elements of another iterator, converted one by one, none ahead. */
    public static <A, B> Iterator<B> mapped(Iterator<A> elements, Function<A, B> conversion) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return elements.hasNext();
            }

            @Override
            public B next() {
                return conversion.apply(elements.next());
            }
        };
    }
}
