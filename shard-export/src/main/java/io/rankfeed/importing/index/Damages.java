package io.rankfeed.importing.index;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The damage that was found in a part: all of it is counted, and the first {@value #MAX_NAMED} are named. Not thread-safe. */
public final class Damages {
    static final int MAX_NAMED = 1000;

    private final List<Damage> named = new ArrayList<>();
    private final BitSet rows = new BitSet();
    private long count;

    /**
     * One damaged sample, or the rest of a file.
     *
     * @param file path below the root
     * @param offset at which the damage was found, in bytes
     */
    public record Damage(String file, long offset, String what) {
        @Override
        public String toString() {
            return file + ", byte " + offset + ": " + what;
        }
    }

    /** Adds a sample that is listed, but damaged; a second damage of it changes nothing. */
    public void addSample(long row, String file, long offset, String what) {
        if (!isDamaged(row)) {
            rows.set(Math.toIntExact(row));
            addRest(file, offset, what);
        }
    }

    /** Adds the rest of a file, with samples that are not listed. */
    public void addRest(String file, long offset, String what) {
        count++;
        if (named.size() < MAX_NAMED) {
            named.add(new Damage(file, offset, what));
        }
    }

    /** Whether a sample that is listed has to be left out. */
    public boolean isDamaged(long row) {
        return rows.get(Math.toIntExact(row));
    }

    /**
     * Samples that are listed and damaged.
     *
     * @param listed number of samples of the part; a damaged sample of the rest of a file is not among them
     */
    long damagedSamples(long listed) {
        return rows.get(0, Math.toIntExact(listed)).cardinality();
    }

    /** The number of damaged samples; the rest of a file counts as one. */
    public long count() {
        return count;
    }

    public List<Damage> named() {
        return List.copyOf(named);
    }
}
