package io.rankfeed.sampling;

/**
 * A stratum of a plan.
 *
 * @param name its name; strata are numbered by it, in the order of their UTF-8 bytes
 * @param available rows of it that the table holds
 * @param rows its pool: rows that the run draws from, all exported; at most {@code available}
 */
public record Stratum(String name, long available, long rows) {
    public Stratum {
        if (available < 0 || rows < 0 || rows > available) {
            throw new IllegalArgumentException(
                    "stratum '" + name + "': rows " + rows + " must lie between 0 and the available " + available);
        }
    }
}
