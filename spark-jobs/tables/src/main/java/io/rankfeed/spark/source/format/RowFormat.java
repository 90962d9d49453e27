package io.rankfeed.spark.source.format;

import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A format whose files are read by one task each; the number of a row in its file is its address. */
public interface RowFormat extends Serializable {
    /** The rows of one file, in its order. */
    interface FileRows extends Closeable {
        /**
         * Reads the next row. After a bad row the next call reads the row that follows it.
         *
         * @return the values of the columns, in Spark's external types: lists as arrays, structs as {@code Row}, maps as
         *     {@code java.util.Map}; null at the end
         * @throws io.rankfeed.schema.failure.CorruptDataException if the file is damaged
         */
        @Nullable
        Object @Nullable [] next() throws IOException, BadRowException;

        /** The line at which the last row begins, from 0, which is its address then; empty where files have no lines. */
        default OptionalLong line() {
            return OptionalLong.empty();
        }
    }

    /**
     * A row that does not fit the source's columns. The rows after it can be read. The message says what is wrong with
     * it.
     */
    final class BadRowException extends Exception {
        private static final long serialVersionUID = 1L;

        private final String file;
        private final long line;
        private final Reason reason;
        private final String text;

        /**
         * @param line at which the row begins, from 0
         * @param text of the row in its file
         */
        public BadRowException(String file, long line, Reason reason, String what, String text) {
            super(what);
            this.file = file;
            this.line = line;
            this.reason = reason;
            this.text = text;
        }

        /** The path of the file. */
        String file() {
            return file;
        }

        /** The file and the line, which counts from 1. */
        public String location() {
            return file + ":" + (line + 1);
        }

        /** @param displayName of the file in messages */
        BadLine line(String address, String displayName) {
            return new BadLine(
                    reason, address, line, String.valueOf(getMessage()), displayName + ":" + (line + 1), text);
        }
    }

    /** Whether {@link #stored} reads a file to its end, so that tasks do it. */
    default boolean isScanned() {
        return false;
    }

    /** Returns the format that reads rows as these types, where a file alone does not state them. */
    default RowFormat reading(StructType columns) {
        return this;
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
     * @param columns those to read, each one that the file has and that has a type; may be empty
     */
    FileRows rows(String file, List<String> columns, Configuration conf) throws IOException;
}
