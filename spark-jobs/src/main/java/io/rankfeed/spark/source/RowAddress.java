package io.rankfeed.spark.source;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;
import org.apache.hadoop.fs.Path;

/** The address of a row: two columns that a source has beside the user's. */
public final class RowAddress {
    /** The file, as its reader writes it; see {@link #canonical}. */
    public static final String FILE = "__rf_file";

    /** The row's index in it, from 0; a line's number for JSON lines. */
    public static final String ROW = "__rf_row";

    private RowAddress() {}

    /** One spelling for the several that Hadoop and Spark have for a file: {@code file:/a b}, {@code file:///a%20b}. */
    public static String canonical(String file) {
        try {
            return canonical(new URI(file));
        } catch (URISyntaxException e) {
            return canonical(new Path(file).toUri());
        }
    }

    static String canonical(URI uri) {
        return Objects.requireNonNullElse(uri.getScheme(), "file") + "://"
                + Objects.requireNonNullElse(uri.getAuthority(), "") + uri.getPath();
    }
}
