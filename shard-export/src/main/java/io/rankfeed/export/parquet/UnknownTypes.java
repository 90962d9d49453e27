package io.rankfeed.export.parquet;

import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;

/**
 * Logical types of newer Parquet versions. Parquet's reader fails at them with a null pointer, and reads no column of
 * the file.
 */
final class UnknownTypes {
    private UnknownTypes() {}

    /** @throws ConfigException if the footer that cannot be read has such a type */
    static void refuse(FileStatus file, ParquetTail tail, Configuration conf) {
        List<String> columns;
        try (FSDataInputStream in = file.getPath().getFileSystem(conf).open(file.getPath())) {
            in.seek(tail.footerStart());
            FileMetaData footer = Util.readFileMetaData(in);
            columns = Objects.requireNonNull(footer.getSchema()).stream()
                    .filter(UnknownTypes::isUnknown)
                    .map(SchemaElement::getName)
                    .toList();
        } catch (IOException | RuntimeException e) {
            // The footer itself is corrupted.
            return;
        }
        if (!columns.isEmpty()) {
            throw new ConfigException(
                    tail.name() + ": unsupported Parquet in "
                            + String.join(
                                    ", ",
                                    columns.stream()
                                            .map(column -> "column '" + column + "'")
                                            .toList())
                            + ": a logical type that this Parquet reader does not know; write the table again without this type");
        }
    }

    private static boolean isUnknown(SchemaElement element) {
        return element.isSetLogicalType()
                && Objects.requireNonNull(element.getLogicalType()).getSetField() == null;
    }
}
