package io.rankfeed.spark.sample;

import java.util.List;

/**
 * A stratum that occurs in the table.
 *
 * @param name its parts joined by "/"
 * @param parts one value or bin per strata column
 * @param rows how many rows it has
 */
record CountedStratum(String name, List<String> parts, long rows) {
    /** The name of the only stratum of a feed without strata columns. */
    static final String ALL = "all";
}
