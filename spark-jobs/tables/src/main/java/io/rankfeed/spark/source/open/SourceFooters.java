package io.rankfeed.spark.source.open;

import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.parquet.RowDecoded;
import io.rankfeed.spark.file.SourceFile;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The footers of a source, read by a few threads. */
public final class SourceFooters {
    private SourceFooters() {}

    /**
     * Reads the footers, in the order of the files.
     *
     * @throws CorruptDataException for the first file, in that order, that is damaged
     */
    public static List<SourceFooter> read(List<SourceFile> files, Configuration conf) {
        return InputChanges.blaming(
                files, conf, () -> ParquetTail.ofEach(files, file -> SourceFooter.read(file, conf)));
    }

    /** The columns of a source that are {@link RowDecoded} in a file. */
    public static RowDecoded byRow(List<SourceFooter> footers) {
        return new RowDecoded(
                footers.stream().flatMap(footer -> footer.byRow().stream()).collect(Collectors.toSet()));
    }

    /**
     * Refuses columns of a source that cannot be read.
     *
     * @param chosen the source's {@code columns:}; empty: all
     * @return the schema of those that can
     * @throws ConfigException naming every other column that is wanted, with its file and the reason
     */
    public static StructType readable(
            String source, StructType stored, List<SourceFooter> footers, List<String> chosen) {
        Map<String, String> unsupported = unsupported(footers);
        for (SourceFooter footer : FileColumns.of(source, footers).examples()) {
            for (ColumnedFile.Column column : footer.columns()) {
                if (!stored.getFieldIndex(column.name()).isDefined()) {
                    unsupported.putIfAbsent(column.name(), "type " + column.written());
                }
            }
        }
        String advice = "name the other columns under sources." + source + ".columns, or ";
        refuse("sources." + source, unsupported, footers, chosen, advice);
        StructType supported = new StructType(Arrays.stream(stored.fields())
                .filter(field -> !unsupported.containsKey(field.name()))
                .toArray(StructField[]::new));
        return SourceColumns.distinct(source, file(unsupported, footers), supported, chosen);
    }

    /**
     * Refuses columns that cannot be read in a file, whatever Spark's type for them.
     *
     * @param where the key of the job that names the files
     * @param chosen the columns that are read; empty: all
     * @throws ConfigException naming every such column, if one is read
     */
    public static void refuseUnsupported(String where, List<SourceFooter> footers, List<String> chosen) {
        refuse(where, unsupported(footers), footers, chosen, "");
    }

    /**
     * Refuses columns whose numbers Spark reads as others, because the table declares another type than the file: 1.25 as 125,
     * 300000 as a SMALLINT of -27680.
     *
     * @param chosen the columns that are read
     * @throws ConfigException naming the first such column with its file
     */
    public static void refuseOtherNumbers(
            String where, List<SourceFooter> footers, StructType table, List<String> chosen) {
        for (StructField column : table.fields()) {
            if (chosen.stream().anyMatch(column.name()::equalsIgnoreCase)) {
                for (SourceFooter footer : footers) {
                    footer.schema().getFields().stream()
                            .filter(field -> field.getName().equalsIgnoreCase(column.name()))
                            .forEach(field -> why(field, footer.numbers().get(field.getName()), column.dataType())
                                    .ifPresent(why -> {
                                        throw new ConfigException(where + ": "
                                                + footer.file().path() + ": column '"
                                                + column.name() + "' is " + field + " in the file and "
                                                + column.dataType().sql() + " in the table, which Spark reads " + why
                                                + " in the table, or write the file again");
                                    }));
                }
            }
        }
    }

    /**
     * Returns how Spark reads a column, and what to do.
     *
     * @param numbers of the column; null if it has none of INT32
     */
    private static Optional<String> why(Type field, @Nullable IntRange numbers, DataType table) {
        boolean isByte = table instanceof ByteType;
        boolean isShort = table instanceof ShortType;
        boolean isDouble = table instanceof DoubleType;
        boolean isWhole = isByte || isShort || table instanceof IntegerType || table instanceof LongType;
        if (isFraction(field) && (isWhole || isDouble || table instanceof DateType)) {
            return Optional.of("without its decimal point; declare the column as a DECIMAL");
        } else if (numbers == null) {
            return Optional.empty();
        }
        boolean isOther = (isByte && !numbers.isWithin(Byte.MIN_VALUE, Byte.MAX_VALUE))
                || (isShort && !numbers.isWithin(Short.MIN_VALUE, Short.MAX_VALUE))
                || (isDouble && !numbers.isWithin(Integer.MIN_VALUE, Integer.MAX_VALUE));
        return isOther
                ? Optional.of("as other numbers: those of the file are from " + numbers.min() + " to " + numbers.max()
                        + "; declare the column as a BIGINT")
                : Optional.empty();
    }

    private static boolean isFraction(Type field) {
        return field.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal
                && decimal.getScale() > 0;
    }

    private static Map<String, String> unsupported(List<SourceFooter> footers) {
        Map<String, String> unsupported = new TreeMap<>();
        footers.forEach(footer -> footer.unsupported().forEach(unsupported::putIfAbsent));
        return unsupported;
    }

    private static void refuse(
            String where,
            Map<String, String> unsupported,
            List<SourceFooter> footers,
            List<String> chosen,
            String advice) {
        boolean isWanted = unsupported.keySet().stream()
                .anyMatch(column -> chosen.isEmpty() || chosen.stream().anyMatch(column::equalsIgnoreCase));
        if (isWanted) {
            throw new ConfigException(where + ": " + file(unsupported, footers) + ": unsupported Parquet in "
                    + unsupported.entrySet().stream()
                            .map(column -> "column '" + column.getKey() + "' (" + column.getValue() + ")")
                            .collect(Collectors.joining(", "))
                    + "; " + advice + "write the table again with other types and codecs, such as ZSTD"
                    + " (docs/job-file/parquet.md)");
        }
    }

    /** The first file with such a column, or the first file. */
    private static String file(Map<String, String> unsupported, List<SourceFooter> footers) {
        SourceFooter first = footers.stream()
                .filter(footer -> !Collections.disjoint(footer.unsupported().keySet(), unsupported.keySet()))
                .findFirst()
                .orElse(footers.get(0));
        return first.file().path().toString();
    }
}
