package io.rankfeed.schema.order;

/**
 * A stratum of a train feed.
 *
 * @param name strata are numbered in the order of the UTF-8 bytes of their names
 * @param available rows of it in the prepared table; of a stored pool its rows
 * @param rows its pool: rows that the run draws from, all exported; at most {@code available}
 */
public record Stratum(String name, long available, long rows) {
    /** A stored pool. */
    public Stratum(String name, long rows) {
        this(name, rows, rows);
    }

    /** @throws IllegalArgumentException if the pool is negative or larger than the table */
    public Stratum {
        Rules.require(
                rows >= 0 && rows <= available,
                "stratum '" + name + "': rows " + rows + " must be 0 to " + available + " (available)");
    }
}
