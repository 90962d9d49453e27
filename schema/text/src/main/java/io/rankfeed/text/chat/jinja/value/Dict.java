package io.rankfeed.text.chat.jinja.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@code dict}: in the order of insertion, with the keys {@code 1}, {@code 1.0} and {@code True} being one. */
public final class Dict {
    /** The maximum number of values in a key, counting tuples and their items. */
    private static final int MAX_KEY_PARTS = 1000;

    private final Map<Object, Entry> entries = new LinkedHashMap<>();
    private final int turn;

    public Dict() {
        this(0);
    }

    /** @param turn its number where it is a message of the conversation, from 1; else 0 */
    public Dict(int turn) {
        this.turn = turn;
    }

    /**
     * Returns the number of the turn to which the text belongs that an iteration over this dict writes; 0 if it belongs
     * to none.
     */
    public int turn() {
        return turn;
    }

    /** A key as it was inserted first, and the value inserted last. */
    public record Entry(Object key, Object value) {}

    public void put(Object key, Object value) {
        entries.merge(normal(key), new Entry(key, value), (before, now) -> new Entry(before.key, value));
    }

    public @Nullable Object get(Object key) {
        Entry entry = entries.get(normal(key));
        return entry == null ? null : entry.value;
    }

    public @Nullable Object get(String key) {
        Entry entry = entries.get(Text.of(key));
        return entry == null ? null : entry.value;
    }

    public boolean has(Object key) {
        return entries.containsKey(normal(key));
    }

    public int size() {
        return entries.size();
    }

    public Collection<Entry> entries() {
        return entries.values();
    }

    public List<Object> keys() {
        return new ArrayList<>(entries.values().stream().map(Entry::key).toList());
    }

    public List<Object> values() {
        return new ArrayList<>(entries.values().stream().map(Entry::value).toList());
    }

    public List<Object> items() {
        return new ArrayList<>(entries.values().stream()
                .map(entry -> (Object) Tuple.of(entry.key, entry.value))
                .toList());
    }

    /**
     * Returns the normal form of a key, which equal keys share.
     *
     * @throws TemplateError if the value cannot be a key
     */
    public static Object normal(Object key) {
        return normal(key, new int[] {MAX_KEY_PARTS});
    }

    private static Object normal(Object key, int[] left) {
        if (left[0]-- == 0) {
            throw TemplateError.of("a key has more than " + MAX_KEY_PARTS + " parts");
        } else if (key instanceof Text text) {
            return text;
        } else if (key instanceof Double real) {
            boolean isWhole = Double.isFinite(real) && real == Math.rint(real);
            return isWhole ? Numbers.narrow(new BigDecimal(real).toBigInteger()) : real;
        } else if (key instanceof Tuple tuple) {
            List<Object> parts = new ArrayList<>(tuple.size());
            tuple.forEach(part -> parts.add(normal(part, left)));
            return parts;
        } else if (key instanceof Range) {
            throw TemplateError.unsupported("a range as a key");
        } else if (key instanceof Dict || key instanceof List || key instanceof View) {
            throw TemplateError.of("a value of type " + Values.typeName(key) + " cannot be a key");
        }
        BigInteger whole = Numbers.integer(key);
        return whole == null ? key : Numbers.narrow(whole);
    }
}
