package io.rankfeed.text.chat.jinja.value;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The variable {@code loop}. It looks one item ahead where it must, and at all items for their number. */
public final class LoopContext implements Function {
    private final Budget budget;
    private final @Nullable Function recursion;
    private final int depth;
    private long length;
    private Iterator<Object> items;
    private @Nullable Object ahead;
    private @Nullable Object current;
    private @Nullable Object before;
    private @Nullable Object lastChanged;
    private long index;

    /**
     * @param recursion renders a deeper level; null where the loop does not call itself
     * @param depth of recursion, from 1
     */
    public LoopContext(Object iterable, Budget budget, @Nullable Function recursion, int depth) {
        this.budget = budget;
        this.recursion = recursion;
        this.depth = depth;
        this.items = Values.items(iterable, budget);
        this.length = iterable instanceof Lazy ? -1 : Values.length(iterable);
    }

    public boolean hasNext() {
        return ahead != null || items.hasNext();
    }

    public Object next() {
        Object item = ahead == null ? items.next() : ahead;
        ahead = null;
        before = current;
        current = item;
        index++;
        return item;
    }

    public long index() {
        return index;
    }

    public long length() {
        if (length < 0) {
            List<Object> rest = new ArrayList<>();
            items.forEachRemaining(rest::add);
            budget.elements(rest.size());
            length = rest.size() + index + (ahead == null ? 0 : 1);
            items = rest.iterator();
        }
        return length;
    }

    @Override
    public @Nullable Object attribute(String name) {
        return switch (name) {
            case "index" -> index;
            case "index0" -> index - 1;
            case "revindex" -> length() - index + 1;
            case "revindex0" -> length() - index;
            case "first" -> index == 1;
            case "last" -> peek() == null;
            case "length" -> length();
            case "depth" -> (long) depth;
            case "depth0" -> depth - 1L;
            case "previtem" -> before == null ? new Undefined("the item before the first") : before;
            case "nextitem" -> {
                Object next = peek();
                yield next == null ? new Undefined("the item after the last") : next;
            }
            case "cycle" -> (Function) (arguments, run) -> cycle(arguments.positional());
            case "changed" -> (Function) (arguments, run) -> changed(new Tuple(arguments.positional()));
            default -> null;
        };
    }

    private @Nullable Object peek() {
        if (ahead == null && items.hasNext()) {
            ahead = items.next();
        }
        return ahead;
    }

    private Object cycle(List<Object> values) {
        if (values.isEmpty()) {
            throw TemplateError.of("loop.cycle() requires an argument");
        }
        return values.get((int) ((index - 1) % values.size()));
    }

    private Object changed(Tuple values) {
        boolean isChanged = lastChanged == null || !Values.isEqual(lastChanged, values, budget);
        lastChanged = values;
        return isChanged;
    }

    @Override
    public Object call(Arguments arguments, Run run) {
        if (recursion == null) {
            throw TemplateError.of("the loop must be marked 'recursive' to be called");
        }
        return recursion.call(arguments.after((long) depth + 1), run);
    }
}
