package io.rankfeed.spark.source.open;

import io.rankfeed.spark.file.SourceFile;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A file of a source that states its columns. */
public interface ColumnedFile {
    /**
     * A column as its file states it.
     *
     * @param type in the words of the format, without whether it may be null
     * @param required whether every row has a value
     */
    record Column(String name, String type, boolean required) implements Serializable {
        /** Returns the type, and whether values may be null, for messages that compare columns. */
        String written() {
            return (required ? "required " : type.startsWith("repeated ") ? "" : "optional ") + type;
        }
    }

    SourceFile file();

    /** Returns the columns in the order of the file. */
    List<Column> columns();

    /** Returns the number of rows; empty if the format does not state it. */
    OptionalLong rows();

    /** Whether a column's values are read as another type than the file's. */
    default boolean isConverted(String column) {
        return false;
    }

    /** Equal for files whose columns are equal. */
    default Object sameColumns() {
        return columns();
    }

    /** The column of exactly this name. */
    default Optional<Column> column(String name) {
        return columns().stream().filter(column -> column.name().equals(name)).findFirst();
    }
}
