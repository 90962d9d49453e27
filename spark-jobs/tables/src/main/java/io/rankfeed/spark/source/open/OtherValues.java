package io.rankfeed.spark.source.open;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.parquet.ReadValues;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Values that Spark reads as others, because a table declares another type than its Parquet file: 1.25 as 125, 300000 as a
 * SMALLINT of -27680. Old dates of Hive can be of another calendar.
 */
public final class OtherValues {
    /** The first day of the Gregorian calendar, 1582-10-15. */
    private static final long GREGORIAN_DAYS = -141_427;

    private OtherValues() {}

    /**
     * Refuses columns with such values, at any depth.
     *
     * @param where the key of the job that names the files
     * @param table the columns as the table declares them
     * @param chosen the columns that are read
     * @throws ConfigException naming the first such column with its file
     */
    public static void refuse(String where, List<SourceFooter> footers, StructType table, List<String> chosen) {
        List<StructField> read = Arrays.stream(table.fields())
                .filter(column -> chosen.stream().anyMatch(column.name()::equalsIgnoreCase))
                .toList();
        Map<MessageType, List<ReadValues>> bySchema = new HashMap<>();
        for (SourceFooter footer : footers) {
            for (ReadValues values : bySchema.computeIfAbsent(footer.schema(), schema -> ReadValues.of(schema, read))) {
                IntRange numbers = footer.numbers().get(values.path());
                Optional<String> why = isOldDate(footer, numbers, values.type())
                        ? Optional.of(
                                "as other days, because Hive can have counted those before 1582-10-15 in the Julian"
                                        + " calendar; write the file again with Spark")
                        : why(values.stored(), numbers, values.type())
                                .map(reason -> reason + " in the table, or write the file again");
                if (why.isPresent()) {
                    throw new ConfigException(where + ": " + footer.file().path() + ": column '"
                            + values.path().toDotString() + "' is " + values.stored() + " in the file and "
                            + values.type().sql() + " in the table, which Spark reads " + why.get());
                }
            }
        }
    }

    private static boolean isOldDate(SourceFooter footer, @Nullable IntRange days, DataType table) {
        return table instanceof DateType && footer.isJulian() && days != null && days.min() < GREGORIAN_DAYS;
    }

    /**
     * Returns how Spark reads a column, and what to do.
     *
     * @param numbers of the column; null if they are not known
     */
    private static Optional<String> why(PrimitiveType stored, @Nullable IntRange numbers, DataType table) {
        boolean isByte = table instanceof ByteType;
        boolean isShort = table instanceof ShortType;
        boolean isInt = table instanceof IntegerType;
        boolean isLong = table instanceof LongType;
        boolean isDouble = table instanceof DoubleType;
        boolean isNumber = isByte || isShort || isInt || isLong || isDouble || table instanceof DateType;
        if (stored.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal) {
            boolean isBytes = table instanceof StringType || table instanceof BinaryType;
            boolean hasBytes = stored.getPrimitiveTypeName() == PrimitiveTypeName.BINARY
                    || stored.getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
            if (isBytes && hasBytes) {
                return Optional.of("as the bytes of the number; declare the column as a DECIMAL");
            } else if (isNumber && decimal.getScale() > 0) {
                return Optional.of("without its decimal point; declare the column as a DECIMAL");
            }
        }
        if (numbers == null) {
            return Optional.empty();
        } else if (isLong && numbers.min() < 0 && IntRange.isUnsignedLong(stored)) {
            return Optional.of("as negative ones above 2^63 - 1; declare the column as a DECIMAL(20, 0)");
        }
        boolean isOther = (isByte && !numbers.isWithin(Byte.MIN_VALUE, Byte.MAX_VALUE))
                || (isShort && !numbers.isWithin(Short.MIN_VALUE, Short.MAX_VALUE))
                || ((isInt || isDouble) && !numbers.isWithin(Integer.MIN_VALUE, Integer.MAX_VALUE));
        return isOther
                ? Optional.of("as other numbers: those of the file are from " + numbers.min() + " to " + numbers.max()
                        + "; declare the column as a BIGINT")
                : Optional.empty();
    }
}
