package io.rankfeed.spark.source.open;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** The time zones of JVMs. Hive's readers, and ORC's library, give a timestamp as the clock of this process shows it. */
public final class JvmZone {
    /**
     * The names of the schemas of files whose writers convert timestamps of INT96 from local time to UTC. Hive states the time zone
     * since 4.0, and did not convert in 3.1.
     */
    private static final Map<String, String> WITHOUT_ZONE = Map.of(SourceFooter.HIVE, "Hive", "flink_schema", "Flink");

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

    /**
     * Checks the columns of Parquet files that Hive or Flink wrote. They convert timestamps of INT96 from the time zone of their JVM
     * to UTC and back; Spark reads them as UTC.
     *
     * @param chosen the names of the columns that are read
     * @throws ConfigException if one of them has such timestamps, of another time zone than UTC or of an unknown one
     */
    public static void refuseLocalTimes(String source, List<SourceFooter> footers, List<String> chosen) {
        for (SourceFooter footer : footers) {
            Optional<String> why = localTimes(footer);
            for (Type field : footer.schema().getFields()) {
                if (why.isPresent() && hasInt96(field) && chosen.stream().anyMatch(field.getName()::equalsIgnoreCase)) {
                    throw new ConfigException(
                            "sources." + source + ": " + footer.file().path() + ": column '" + field.getName()
                                    + "' has timestamps " + why.get() + ", or name the other columns under sources."
                                    + source + ".columns");
                }
            }
        }
    }

    /** Returns of which local time the timestamps of INT96 in a file are, and what to do; empty if they are of UTC. */
    private static Optional<String> localTimes(SourceFooter footer) {
        String writer = WITHOUT_ZONE.get(footer.schema().getName());
        if (footer.writerZone().isPresent()) {
            String zone = footer.writerZone().get();
            boolean isUtc = TimeZone.getTimeZone(zone).hasSameRules(TimeZone.getTimeZone("UTC"));
            return isUtc
                    ? Optional.empty()
                    : Optional.of(
                            "that Hive wrote in the time zone " + zone + ", and Spark reads in UTC, so their hours"
                                    + " differ; write the table with Spark or in UTC");
        }
        return Optional.ofNullable(writer)
                .map(name -> "that " + name + " wrote in a time zone that the file does not state, and Spark reads in"
                        + " UTC, so their hours can differ; read the folder as a parquet source, whose timestamps are"
                        + " UTC, and convert them with from_utc_timestamp(x, 'ZONE')");
    }

    private static boolean hasInt96(Type field) {
        return field.isPrimitive()
                ? field.asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT96
                : field.asGroupType().getFields().stream().anyMatch(JvmZone::hasInt96);
    }

    private static boolean hasTimestamps(DataType type) {
        return type.existsRecursively(part -> part instanceof TimestampType || part instanceof TimestampNTZType);
    }
}
