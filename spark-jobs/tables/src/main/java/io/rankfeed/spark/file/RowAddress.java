package io.rankfeed.spark.file;

import java.net.URI;
import java.util.Objects;
import org.apache.hadoop.fs.Path;

/** The address of a row: two columns that a source has in addition to the user's. */
public final class RowAddress {
    /** The file as a URI, what is special in one escaped; see {@link #canonical}. */
    public static final String FILE = "__rf_file";

    /** The row's index in it, from 0; a line's number for JSON lines. */
    public static final String ROW = "__rf_row";

    private RowAddress() {}

    /** Returns the value of {@link #FILE} for the rows of a file. */
    public static String of(Path file) {
        return file.toUri().toString();
    }

    /**
     * Returns the canonical URI of a file, whose URI can be written in several ways: {@code file:/a%20b}, {@code
     * file:///a%20b}.
     */
    public static String canonical(String uri) {
        return canonical(URI.create(uri));
    }

    public static String canonical(URI uri) {
        return Objects.requireNonNullElse(uri.getScheme(), "file") + "://"
                + Objects.requireNonNullElse(uri.getAuthority(), "") + uri.getPath();
    }
}
