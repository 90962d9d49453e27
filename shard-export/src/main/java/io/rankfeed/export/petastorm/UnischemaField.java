package io.rankfeed.export.petastorm;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A field of a Unischema.
 *
 * @param shape of a value, slowest first; {@link #ANY} where the Unischema says None. Empty for a scalar
 */
public record UnischemaField(String name, NumpyType type, List<Integer> shape, UnischemaCodec codec, boolean nullable)
        implements Serializable {
    public static final int ANY = -1;

    public UnischemaField {
        shape = new ArrayList<>(shape);
    }

    /** Whether a value's shape is one of this field's, as Petastorm judges it. */
    public boolean fits(int[] other) {
        if (other.length != shape.size()) {
            return false;
        }
        for (int i = 0; i < other.length; i++) {
            if (shape.get(i) != ANY && other[i] != shape.get(i)) {
                return false;
            }
        }
        return true;
    }
}
