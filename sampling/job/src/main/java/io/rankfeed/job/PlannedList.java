package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.OneOf;
import java.util.Optional;

/**
 * A list of rows from elsewhere: which rows a feed has, and in which order.
 *
 * @param text a file of one entry a line, {@code .gz} too; or
 * @param parquet a Parquet file, or a folder of such, in the order of their paths
 * @param column of the Parquet files; without it the key columns, or {@code index}
 * @param of what an entry is
 */
@OneOf({"text", "parquet"})
public record PlannedList(
        Optional<String> text,
        Optional<String> parquet,
        Optional<String> column,
        @Default("key") Of of) {
    /** The job's key, or the number of a row in the prepared table, from 0. */
    public enum Of {
        KEY,
        INDEX
    }

    public PlannedList {
        text.ifPresent(path -> WrittenPath.of("text", path));
        parquet.ifPresent(path -> WrittenPath.of("parquet", path));
        if (column.isPresent() && text.isPresent()) {
            throw new BadValue("column", "is only for parquet; a text file has one entry a line");
        }
    }

    public String location() {
        return text.or(() -> parquet).orElseThrow();
    }
}
