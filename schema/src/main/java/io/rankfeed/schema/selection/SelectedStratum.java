package io.rankfeed.schema.selection;

import java.util.List;

/**
 * The stored rows of a stratum.
 *
 * @param values its value or bin in each strata column; where rare strata are one, that stratum's name in each
 * @param available rows of it in the table
 * @param rows n, those that the version stores
 */
public record SelectedStratum(String name, List<String> values, long available, long rows) {
    /** @throws IllegalArgumentException if the numbers contradict each other */
    public SelectedStratum {
        values = List.copyOf(values);
        Checks.require(
                rows >= 0 && rows <= available,
                "stratum '" + name + "': rows " + rows + " must be 0 to " + available + " (available)");
    }
}
