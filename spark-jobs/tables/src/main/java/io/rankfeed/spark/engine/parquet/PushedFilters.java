package io.rankfeed.spark.engine.parquet;

import java.sql.Timestamp;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Product;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The conditions of a query that may exclude row groups or stripes by their statistics and dictionaries. Those of FLOAT and
 * DOUBLE know no NaN, which is greater than every number in Spark, and take 0.0 and -0.0 for two numbers. Spark compares a
 * column of milliseconds with the milliseconds before a timestamp.
 */
final class PushedFilters {
    private static final int NANOS_PER_MILLI = 1_000_000;

    private PushedFilters() {}

    /**
     * The conditions that reference no FLOAT or DOUBLE, and no timestamp between two milliseconds. Spark checks all of them on the
     * rows that are read.
     */
    static Seq<Filter> exact(Seq<Filter> filters, StructType table) {
        return CollectionConverters.asScala(CollectionConverters.asJava(filters).stream()
                        .filter(filter -> isMillis(filter)
                                && Arrays.stream(filter.v2references()).allMatch(path -> isExact(table, path)))
                        .toList())
                .toSeq();
    }

    /** Whether the timestamps in a condition, or in a part of it, are whole milliseconds. */
    private static boolean isMillis(@Nullable Object part) {
        if (part instanceof Product parts) {
            return CollectionConverters.asJava(parts.productIterator().toSeq()).stream()
                    .allMatch(PushedFilters::isMillis);
        } else if (part instanceof Object[] values) {
            return Arrays.stream(values).allMatch(PushedFilters::isMillis);
        } else if (part instanceof Timestamp time) {
            return time.getNanos() % NANOS_PER_MILLI == 0;
        }
        return !(part instanceof TemporalAccessor time && time.isSupported(ChronoField.NANO_OF_SECOND))
                || time.get(ChronoField.NANO_OF_SECOND) % NANOS_PER_MILLI == 0;
    }

    private static boolean isExact(StructType table, String[] path) {
        DataType type = table;
        for (String name : path) {
            Optional<StructField> field = type instanceof StructType struct ? field(struct, name) : Optional.empty();
            if (field.isEmpty()) {
                return false;
            }
            type = field.get().dataType();
        }
        return !(type instanceof FloatType) && !(type instanceof DoubleType);
    }

    /** Names are case-insensitive, as in Spark. */
    private static Optional<StructField> field(StructType struct, String name) {
        return Arrays.stream(struct.fields())
                .filter(field -> field.name().equalsIgnoreCase(name))
                .findFirst();
    }
}
