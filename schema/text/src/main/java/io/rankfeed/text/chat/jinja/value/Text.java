package io.rankfeed.text.chat.jinja.value;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A {@code str} of a template, and which source its characters came from: 0 for the template itself, else a number of
 * the caller. Texts that are cut from one keep its marks. Indices are Java's; {@link PythonStr} has those of Python.
 */
public final class Text implements Comparable<Text> {
    /** The bit of a mark that says: in a {@code generation} block. */
    public static final int GENERATION = 1 << 30;

    private static final int TURN_SHIFT = 15;
    /** Sources and turns are less than this. */
    public static final int MAX_MARK = 1 << TURN_SHIFT;

    public static final Text EMPTY = new Text("", null, false);

    private final String chars;
    /** Ends and marks of runs in turn; null where no character is marked. */
    private final int @Nullable [] runs;

    private final boolean isSafe;
    /** Whether the text has surrogate pairs; null until it is asked for. */
    private @Nullable Boolean pairs;

    private Text(String chars, int @Nullable [] runs, boolean isSafe) {
        this.chars = chars;
        this.runs = runs;
        this.isSafe = isSafe;
    }

    public static Text of(String chars) {
        return chars.isEmpty() ? EMPTY : new Text(chars, null, false);
    }

    public static Text marked(String chars, int mark) {
        return chars.isEmpty() || mark == 0 ? of(chars) : new Text(chars, new int[] {chars.length(), mark}, false);
    }

    /** Returns text that concatenation does not escape, as Jinja's {@code Markup}. */
    public Text safe() {
        return new Text(chars, runs, true);
    }

    /** Returns the text as one that is not safe HTML, so that it is escaped again. */
    public Text plain() {
        return isSafe ? new Text(chars, runs, false) : this;
    }

    /** Whether the text is safe HTML, which is not escaped. */
    public boolean isSafe() {
        return isSafe;
    }

    public boolean isEmpty() {
        return chars.isEmpty();
    }

    public int length() {
        return chars.length();
    }

    /** Whether a character is a pair of surrogates, so that Python's indices differ. */
    public boolean hasPairs() {
        if (pairs == null) {
            pairs = chars.chars().anyMatch(unit -> Character.isSurrogate((char) unit));
        }
        return pairs;
    }

    /** The part from begin (inclusive) to end (exclusive). */
    public Text slice(int begin, int end) {
        if (begin == 0 && end == chars.length()) {
            return this;
        } else if (begin >= end) {
            return isSafe ? EMPTY.safe() : EMPTY;
        } else if (runs == null) {
            return new Text(chars.substring(begin, end), null, isSafe);
        }
        Builder part = new Builder();
        part.append(this, begin, end);
        Text made = part.text();
        return isSafe ? made.safe() : made;
    }

    /** Replaces the characters, for example by capitals. Where their number differs, only a uniform mark is kept. */
    public Text replaced(String other) {
        if (runs == null || other.length() == chars.length()) {
            return new Text(other, runs, isSafe);
        }
        return runs.length == 2 ? marked(other, runs[1]) : of(other);
    }

    /** Marked as in a {@code generation} block. */
    public Text generated() {
        if (runs == null) {
            return marked(chars, GENERATION);
        }
        int[] generated = runs.clone();
        for (int i = 1; i < generated.length; i += 2) {
            generated[i] |= GENERATION;
        }
        return new Text(chars, generated, isSafe);
    }

    /** The source of characters, as a mark states it. */
    public static int source(int mark) {
        return mark & (MAX_MARK - 1);
    }

    /** The turn whose iteration wrote its characters, as a mark says it; 0 for none. */
    public static int turn(int mark) {
        return (mark & ~GENERATION) >> TURN_SHIFT;
    }

    /** @param visitor takes begin, end and mark of each run that is marked */
    public void forEachRun(RunVisitor visitor) {
        int begin = 0;
        for (int i = 0; runs != null && i < runs.length; i += 2) {
            if (runs[i + 1] != 0) {
                visitor.run(begin, runs[i], runs[i + 1]);
            }
            begin = runs[i];
        }
    }

    /** Takes a run of characters with one mark. */
    public interface RunVisitor {
        public void run(int begin, int end, int mark);
    }

    @Override
    public int compareTo(Text other) {
        // By code points, as Python: by UTF-16, pairs would come before U+E000.
        int[] codePoints = chars.codePoints().toArray();
        int[] otherCodePoints = other.chars.codePoints().toArray();
        return Arrays.compare(codePoints, otherCodePoints);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Text text && chars.equals(text.chars);
    }

    @Override
    public int hashCode() {
        return chars.hashCode();
    }

    @Override
    public String toString() {
        return chars;
    }

    /** Joins texts. */
    public static final class Builder {
        private final StringBuilder chars = new StringBuilder();
        private int[] runs = new int[0];
        private int used;

        public Builder append(String plain) {
            chars.append(plain);
            return this;
        }

        public Builder append(char plain) {
            chars.append(plain);
            return this;
        }

        public Builder append(Text text) {
            return append(text, 0, text.chars.length());
        }

        public Builder append(Text text, int begin, int end) {
            int offset = chars.length() - begin;
            if (text.runs == null) {
                chars.append(text.chars, begin, end);
                return this;
            }
            int from = begin;
            for (int i = 0; i < text.runs.length && from < end; i += 2) {
                if (text.runs[i] > from) {
                    int to = Math.min(end, text.runs[i]);
                    run(from + offset, 0);
                    chars.append(text.chars, from, to);
                    run(to + offset, text.runs[i + 1]);
                    from = to;
                }
            }
            run(from + offset, 0);
            chars.append(text.chars, from, end);
            return this;
        }

        /** The characters up to this end have the mark, as far as no earlier run has them. */
        private void run(int end, int mark) {
            int begin = used == 0 ? 0 : runs[used - 2];
            if (end <= begin) {
                return;
            } else if (used > 0 && runs[used - 1] == mark) {
                runs[used - 2] = end;
                return;
            }
            if (used + 2 > runs.length) {
                runs = Arrays.copyOf(runs, Math.max(8, 2 * runs.length));
            }
            runs[used++] = end;
            runs[used++] = mark;
        }

        public int length() {
            return chars.length();
        }

        /** Assigns to a turn the characters that were appended from an index on, except those of inner iterations. */
        public void turn(int begin, int turn) {
            if (begin == chars.length()) {
                return;
            }
            run(chars.length(), 0);
            int at = used - 2;
            while (at > 0 && runs[at - 2] > begin) {
                at -= 2;
            }
            if (begin > (at == 0 ? 0 : runs[at - 2])) {
                runs = Arrays.copyOf(runs, runs.length + 2);
                System.arraycopy(runs, at, runs, at + 2, used - at);
                runs[at] = begin;
                used += 2;
                at += 2;
            }
            for (; at < used; at += 2) {
                if (Text.turn(runs[at + 1]) == 0) {
                    runs[at + 1] |= turn << TURN_SHIFT;
                }
            }
        }

        public Text text() {
            if (used > 0) {
                run(chars.length(), 0);
            }
            return chars.isEmpty()
                    ? EMPTY
                    : new Text(chars.toString(), used == 0 ? null : Arrays.copyOf(runs, used), false);
        }
    }
}
