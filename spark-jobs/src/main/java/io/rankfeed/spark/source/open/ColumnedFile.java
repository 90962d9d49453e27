package io.rankfeed.spark.source.open;

import io.rankfeed.spark.file.SourceFile;
import java.util.List;
import java.util.Optional;

/** A file of a source that states its columns and its number of rows. */
public interface ColumnedFile {
    /**
     * A column as its file states it.
     *
     * @param type in the words of the format, without whether it may be null
     * @param required whether every row has a value
     */
    record Column(String name, String type, boolean required) {
        /** For messages that compare columns. */
        String written() {
            return (required ? "required " : "") + type;
        }
    }

    SourceFile file();

    /** In the order of the file. */
    List<Column> columns();

    long rows();

    /** The column of exactly this name. */
    default Optional<Column> column(String name) {
        return columns().stream().filter(column -> column.name().equals(name)).findFirst();
    }
}
