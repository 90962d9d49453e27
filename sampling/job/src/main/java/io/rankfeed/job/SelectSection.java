package io.rankfeed.job;

import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.NotEmpty;
import java.util.List;
import java.util.Optional;

/**
 * The short form of a query over one source.
 *
 * @param from the source's name
 * @param columns columns or SQL expressions; empty for all
 * @param where a Spark SQL condition
 */
public record SelectSection(
        String from, @Default("[]") @NotEmpty List<String> columns, Optional<String> where) {
    String query() {
        String list = columns.isEmpty() ? "*" : String.join(", ", columns);
        return "SELECT " + list + " FROM `" + from.replace("`", "``") + "`"
                + where.map(condition -> " WHERE " + condition).orElse("");
    }
}
