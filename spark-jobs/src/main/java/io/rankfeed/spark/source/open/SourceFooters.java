package io.rankfeed.spark.source.open;

import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.parquet.RowDecoded;
import io.rankfeed.spark.file.SourceFile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.StructType;

/** The footers of a source, read by a few threads. */
public final class SourceFooters {
    private SourceFooters() {}

    /** In the order of the files. @throws CorruptDataException for the first file, in that order, that is damaged */
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
        Map<String, String> unsupported = new TreeMap<>();
        String file = footers.get(0).file().path().toString();
        for (SourceFooter footer : footers) {
            for (Map.Entry<String, String> column : footer.unsupported().entrySet()) {
                if (unsupported.putIfAbsent(column.getKey(), column.getValue()) == null && unsupported.size() == 1) {
                    file = footer.file().path().toString();
                }
            }
        }
        for (SourceFooter footer : FileColumns.of(source, footers).examples()) {
            for (ColumnedFile.Column column : footer.columns()) {
                if (!stored.getFieldIndex(column.name()).isDefined()) {
                    unsupported.putIfAbsent(column.name(), "type " + column.written());
                }
            }
        }
        boolean wanted = unsupported.keySet().stream()
                .anyMatch(column -> chosen.isEmpty() || chosen.stream().anyMatch(column::equalsIgnoreCase));
        if (wanted) {
            throw new ConfigException("sources." + source + ": " + file + ": unsupported Parquet in "
                    + unsupported.entrySet().stream()
                            .map(column -> "column '" + column.getKey() + "' (" + column.getValue() + ")")
                            .collect(Collectors.joining(", "))
                    + "; name the other columns under sources." + source
                    + ".columns, or write the table again with other types and codecs, such as ZSTD"
                    + " (docs/job-file/parquet.md)");
        }
        return SourceColumns.distinct(source, file, stored, chosen);
    }
}
