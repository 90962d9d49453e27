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
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

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
     * Refuses decimals with a fraction in columns that a table declares as whole numbers: Spark reads 1.25 as 125.
     *
     * @param chosen the columns that are read
     * @throws ConfigException naming the first such column with its file
     */
    public static void refuseUnscaled(String where, List<SourceFooter> footers, StructType table, List<String> chosen) {
        for (StructField column : table.fields()) {
            boolean isWhole = column.dataType() instanceof ByteType
                    || column.dataType() instanceof ShortType
                    || column.dataType() instanceof IntegerType
                    || column.dataType() instanceof LongType;
            if (isWhole && chosen.stream().anyMatch(column.name()::equalsIgnoreCase)) {
                for (SourceFooter footer : footers) {
                    footer.schema().getFields().stream()
                            .filter(field -> field.getName().equalsIgnoreCase(column.name()))
                            .filter(SourceFooters::isFraction)
                            .forEach(field -> {
                                throw new ConfigException(where + ": "
                                        + footer.file().path() + ": column '"
                                        + column.name() + "' is " + field + " in the file and "
                                        + column.dataType().sql() + " in the table, which Spark reads without its"
                                        + " decimal point; declare the column as a DECIMAL in the table, or write the"
                                        + " file again");
                            });
                }
            }
        }
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
