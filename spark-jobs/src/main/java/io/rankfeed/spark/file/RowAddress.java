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

    /** What {@link #FILE} has for a file. */
    public static String of(Path file) {
        return file.toUri().toString();
    }

    /** One spelling for the several that URIs of a file have: {@code file:/a%20b}, {@code file:///a%20b}. */
    public static String canonical(String uri) {
        return canonical(URI.create(uri));
    }

    public static String canonical(URI uri) {
        return Objects.requireNonNullElse(uri.getScheme(), "file") + "://"
                + Objects.requireNonNullElse(uri.getAuthority(), "") + uri.getPath();
    }
}
