package io.rankfeed.spark.source.format;

import io.rankfeed.spark.file.SourceFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** A format whose files are read by one task each; the number of a row in its file is its address. */
public interface RowFormat extends Serializable {
    /** The rows of one file, in its order. */
    interface FileRows extends Closeable {
        /**
         * Reads the next row.
         *
         * @return the values of the columns, in Spark's external types: lists as arrays, structs as {@code Row}, maps as
         *     {@code java.util.Map}; null at the end
         * @throws io.rankfeed.schema.failure.CorruptDataException if the file is damaged
         */
        @Nullable Object @Nullable [] next() throws IOException;
    }

    /**
     * Reads what a file states of its columns and the number of its rows, and checks that its structure is complete.
     *
     * @throws io.rankfeed.schema.failure.CorruptDataException if the file contradicts itself or is cut off
     */
    StoredFile stored(SourceFile file, Configuration conf) throws IOException;

    /**
     * Opens a file.
     *
     * @param file its path
     * @param columns those to read, each one that the file has and that has a type
     */
    FileRows rows(String file, List<String> columns, Configuration conf) throws IOException;
}
