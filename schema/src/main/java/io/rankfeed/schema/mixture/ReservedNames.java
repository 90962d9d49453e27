package io.rankfeed.schema.mixture;

import io.rankfeed.schema.cache.CacheColumn;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The names that a column cannot have: a version that had one could not be fed, alone or in a mixture. */
public final class ReservedNames {
    private static final Set<String> NAMES = Set.of(
            CacheColumn.ROW_ID.name(),
            CacheColumn.SOURCE.name(),
            CacheColumn.SOURCE_ROW.name(),
            MixtureColumns.MEMBER,
            // Of the feeder.
            "row_id");

    /** A ring has names of 64 bytes (docs/format/ring.md), with ".valid" after that of a nullable column. */
    private static final int MAX_LENGTH = 58;

    private ReservedNames() {}

    /** What is wrong with the name of a column, as in "has a reserved name"; empty if nothing is. */
    public static Optional<String> fault(String name) {
        if (NAMES.contains(name.toLowerCase(Locale.ROOT))) {
            return Optional.of("has a reserved name");
        }
        return name.length() > MAX_LENGTH
                ? Optional.of("has a name of " + name.length() + " characters, at most " + MAX_LENGTH)
                : Optional.empty();
    }
}
