package io.rankfeed.schema;

import io.rankfeed.schema.failure.ConfigException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The shape of one row's value, row-major. No dimensions: a scalar. Every dimension is positive, but the first may be
 * {@link #VARIABLE} (null in JSON): it then differs from row to row.
 *
 * @param dims the dimensions, slowest first; at most {@link #MAX_RANK}, of less than 2^31 elements together
 */
public record Shape(List<Integer> dims) {
    /** Stands for a leading dimension that differs from row to row. */
    public static final int VARIABLE = -1;

    public static final int MAX_RANK = 8;

    private static final Shape SCALAR = new Shape(List.of());

    /** @throws ConfigException if these dimensions are no shape */
    public Shape {
        dims = List.copyOf(dims);
        if (dims.size() > MAX_RANK) {
            throw new ConfigException(
                    "shape " + text(dims) + " has " + dims.size() + " dimensions; at most " + MAX_RANK);
        }
        long elements = 1;
        for (int i = 0; i < dims.size(); i++) {
            int dim = dims.get(i);
            if (dim <= 0 && !(dim == VARIABLE && i == 0)) {
                throw new ConfigException("shape " + text(dims) + ": dimension " + i
                        + " must be positive; only the first may be null (variable)");
            }
            elements *= Math.max(dim, 1);
            if (elements > Integer.MAX_VALUE) {
                throw new ConfigException("shape " + text(dims) + " has 2^31 elements or more");
            }
        }
    }

    public static Shape scalar() {
        return SCALAR;
    }

    public static Shape of(int... dims) {
        return new Shape(Arrays.stream(dims).boxed().toList());
    }

    public int rank() {
        return dims.size();
    }

    /** Whether the first dimension differs from row to row. */
    public boolean isVariable() {
        return !dims.isEmpty() && dims.get(0) == VARIABLE;
    }

    /** Elements of one row; of a variable shape, of one step along the first dimension. */
    public int elements() {
        int elements = 1;
        for (int dim : dims) {
            elements *= Math.max(dim, 1);
        }
        return elements;
    }

    @Override
    public String toString() {
        return text(dims);
    }

    private static String text(List<Integer> dims) {
        return dims.stream()
                .map(dim -> dim == VARIABLE ? "null" : Integer.toString(dim))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
