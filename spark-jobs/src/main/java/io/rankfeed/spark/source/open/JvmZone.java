package io.rankfeed.spark.source.open;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.TimeZone;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** The time zone of this process. Hive's readers, and ORC's library, give a timestamp as its clock shows it. */
public final class JvmZone {
    private JvmZone() {}

    /**
     * Checks the columns of files of ORC, or that Hive reads.
     *
     * @param types the columns that are stored
     * @param chosen the names of those that are read; empty: all
     * @throws ConfigException if one that is wanted has timestamps, and the time zone is not UTC
     */
    public static void refuseTimestamps(String source, StructType types, List<String> chosen) {
        boolean isUtc = TimeZone.getDefault().hasSameRules(TimeZone.getTimeZone("UTC"));
        for (StructField column : types.fields()) {
            boolean isWanted = chosen.isEmpty() || chosen.stream().anyMatch(column.name()::equalsIgnoreCase);
            if (!isUtc && isWanted && hasTimestamps(column.dataType())) {
                throw new ConfigException("sources." + source + ": column '" + column.name() + "' has timestamps, which"
                        + " ORC's and Hive's readers give in the time zone of the JVM, and that is "
                        + TimeZone.getDefault().getID() + "; add --driver-java-options -Duser.timezone=UTC, and for a"
                        + " cluster --conf spark.executor.extraJavaOptions=-Duser.timezone=UTC, or name the other"
                        + " columns under sources." + source + ".columns");
            }
        }
    }

    private static boolean hasTimestamps(DataType type) {
        return type.existsRecursively(part -> part instanceof TimestampType || part instanceof TimestampNTZType);
    }
}
