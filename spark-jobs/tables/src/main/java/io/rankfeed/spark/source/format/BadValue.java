package io.rankfeed.spark.source.format;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;

/** A value that cannot be read. Who reads the row knows its number, and which file and column it is in. */
public final class BadValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean isUnsupported;

    private BadValue(String what, boolean isUnsupported) {
        super(what);
        this.isUnsupported = isUnsupported;
    }

    public static BadValue damaged(String what) {
        return new BadValue(what, false);
    }

    public static BadValue unsupported(String what) {
        return new BadValue(what, true);
    }

    /** @param where the column, or the row and the column */
    public RankfeedException in(String file, String where) {
        return isUnsupported
                ? new ConfigException(file + ": " + where + ": " + getMessage())
                : new CorruptDataException(file, where + ": " + getMessage());
    }
}
