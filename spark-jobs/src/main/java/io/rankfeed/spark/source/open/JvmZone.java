package io.rankfeed.spark.source.open;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.TimeZone;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The time zone of this process. ORC's library gives a timestamp as its clock shows it. */
public final class JvmZone {
    private JvmZone() {}

    /**
     * Checks the columns of an ORC source.
     *
     * @param chosen the source's {@code columns:}; empty: all
     * @throws ConfigException if one that is wanted has timestamps, and the time zone is not UTC
     */
    public static void refuseTimestamps(String source, StructType types, List<String> chosen) {
        boolean isUtc = TimeZone.getDefault().hasSameRules(TimeZone.getTimeZone("UTC"));
        for (StructField column : types.fields()) {
            boolean isWanted = chosen.isEmpty() || chosen.stream().anyMatch(column.name()::equalsIgnoreCase);
            if (!isUtc && isWanted && column.dataType().sql().contains("TIMESTAMP")) {
                throw new ConfigException("sources." + source + ": column '" + column.name() + "' has timestamps, which"
                        + " are read from ORC in the time zone of the JVM, and that is "
                        + TimeZone.getDefault().getID() + "; add --driver-java-options -Duser.timezone=UTC, and for a"
                        + " cluster --conf spark.executor.extraJavaOptions=-Duser.timezone=UTC, or name the other"
                        + " columns under sources." + source + ".columns");
            }
        }
    }
}
