package io.rankfeed.text.chat.jinja.value;

import java.util.List;

/**
 * Bounds one evaluation. It counts operations and bytes, and no time, so that the load of the machine never decides
 * whether a conversation can be rendered.
 */
public final class Budget {
    /**
     * The maximum number of steps, about a second of work; a conversation of 1,000 messages takes less than a hundredth
     * of it.
     */
    private static final long MAX_STEPS = 10_000_000;

    /** The maximum number of bytes allocated for all values together, including values that are no longer used. */
    private static final long MAX_BYTES = 128L << 20;

    private static final int MAX_CALLS = 100;

    /** The maximum depth of nested values; Python stops at about the same depth. */
    private static final int MAX_DEPTH = 200;

    private long steps;
    private long bytes;
    private int calls;

    /** Counts one operation of a node. */
    public void step() {
        steps(1);
    }

    public void steps(long count) {
        steps += count;
        if (steps > MAX_STEPS) {
            throw TemplateError.of("the template takes more than " + MAX_STEPS + " operations, which is the limit");
        }
    }

    /** Counts what a call may do with a text: look at each character, and at each for the other texts. */
    public void search(Text text, List<Object> others) {
        steps(text.length() >> 4);
        for (Object argument : others) {
            if (argument instanceof Text other) {
                steps(((long) text.length() * other.length()) >> 8);
            }
        }
    }

    /** Counts before memory is taken. */
    public void allocate(long count) {
        bytes += Math.min(count, MAX_BYTES + 1);
        if (bytes > MAX_BYTES) {
            throw TemplateError.of(
                    "the values of the template take more than " + (MAX_BYTES >> 20) + " MiB, which is the limit");
        }
    }

    /** Counts a list of this many elements. */
    public void elements(long count) {
        allocate(Math.min(count, MAX_BYTES) * Long.BYTES);
    }

    public void enter() {
        if (++calls > MAX_CALLS) {
            throw TemplateError.of("calls of macros and recursive loops are nested more than " + MAX_CALLS + " deep");
        }
    }

    public void leave() {
        calls--;
    }

    /** @param depth of a value within values that are compared or written */
    public static void requireDepth(int depth) {
        if (depth > MAX_DEPTH) {
            throw TemplateError.of("values are nested more than " + MAX_DEPTH + " deep");
        }
    }
}
