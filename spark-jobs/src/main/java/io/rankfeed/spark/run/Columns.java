package io.rankfeed.spark.run;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;

/** Columns by their names, whatever is in those. */
public final class Columns {
    private Columns() {}

    /** The column of that very name: no dot in it is a field's, no star all columns. */
    public static Column named(String name) {
        return functions.col(quoted(name));
    }

    /** A name as SQL has it. */
    public static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
