package io.rankfeed.spark.source.open;

import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.parquet.RowDecoded;
import io.rankfeed.spark.file.SourceFile;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The footers of a source, read by a few threads. */
public final class SourceFooters {
    /** Names of the columns that Spark adds to those of a file. */
    private static final Set<String> OF_SPARK = Set.of("_metadata", "_tmp_metadata_row_index");

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
                } else if (OF_SPARK.contains(column.name().toLowerCase(Locale.ROOT))) {
                    unsupported.putIfAbsent(column.name(), "a name that Spark reserves");
                }
            }
        }
        String advice = "name the other columns under sources." + source + ".columns, or ";
        if (unsupported.keySet().stream().anyMatch(column -> isWanted(column, chosen))) {
            throw refused("sources." + source, unsupported, footers, advice);
        }
        StructType supported = new StructType(Arrays.stream(stored.fields())
                .filter(field -> !unsupported.containsKey(field.name()))
                .toArray(StructField[]::new));
        SourceColumns.refuseInnerCase(source, supported, chosen);
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
        refuseUnsupported(where, footers, field -> isWanted(field.getName(), chosen));
    }

    /**
     * Refuses columns that cannot be read in a file.
     *
     * @param chosen the columns that are read
     */
    public static void refuseUnsupported(String where, List<SourceFooter> footers, Predicate<Type> chosen) {
        for (SourceFooter footer : footers) {
            boolean isRead = footer.schema().getFields().stream()
                    .anyMatch(field -> footer.unsupported().containsKey(field.getName()) && chosen.test(field));
            if (isRead) {
                throw refused(where, unsupported(footers), footers, "");
            }
        }
    }

    private static Map<String, String> unsupported(List<SourceFooter> footers) {
        Map<String, String> unsupported = new TreeMap<>();
        footers.forEach(footer -> footer.unsupported().forEach(unsupported::putIfAbsent));
        return unsupported;
    }

    private static boolean isWanted(String column, List<String> chosen) {
        return chosen.isEmpty() || chosen.stream().anyMatch(column::equalsIgnoreCase);
    }

    private static ConfigException refused(
            String where, Map<String, String> unsupported, List<SourceFooter> footers, String advice) {
        return new ConfigException(where + ": " + file(unsupported, footers) + ": unsupported Parquet in "
                + unsupported.entrySet().stream()
                        .map(column -> "column '" + column.getKey() + "' (" + column.getValue() + ")")
                        .collect(Collectors.joining(", "))
                + "; " + advice + "write the table again with other names, types or codecs, such as ZSTD"
                + " (docs/job-file/parquet.md)");
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
