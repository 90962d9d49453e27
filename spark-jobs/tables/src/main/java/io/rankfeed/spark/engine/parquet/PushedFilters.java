package io.rankfeed.spark.engine.parquet;

import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The conditions of a query that may exclude row groups or stripes by their statistics and dictionaries. Those of FLOAT and
 * DOUBLE know no NaN, which is greater than every number in Spark, and take 0.0 and -0.0 for two numbers.
 */
final class PushedFilters {
    private PushedFilters() {}

    /** The conditions that reference no FLOAT or DOUBLE. Spark checks all of them on the rows that are read. */
    static Seq<Filter> exact(Seq<Filter> filters, StructType table) {
        return CollectionConverters.asScala(CollectionConverters.asJava(filters).stream()
                        .filter(filter -> Arrays.stream(filter.v2references()).allMatch(path -> isExact(table, path)))
                        .toList())
                .toSeq();
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
