package io.rankfeed.spark.source.format;

import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.RowFormat.BadRowException;
import io.rankfeed.spark.source.format.RowFormat.FileRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.Row;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What a format reads of a file.
 *
 * @param rows the values of the columns that have a type, {@link #comparable}
 */
public record ReadFile(StoredFile stored, List<List<Object>> rows) {
    private static final Configuration CONF = new Configuration();

    public static ReadFile all(RowFormat format, Path file) throws IOException {
        StoredFile stored = stored(format, file);
        List<String> columns = List.copyOf(stored.types().keySet());
        return new ReadFile(stored, rows(format, file, columns));
    }

    public static StoredFile stored(RowFormat format, Path file) throws IOException {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
        SourceFile source = new SourceFile(FileSystem.get(path.toUri(), CONF).getFileStatus(path), path.getName());
        return format.stored(source, CONF);
    }

    public static List<List<Object>> rows(RowFormat format, Path file, List<String> columns) throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        try (FileRows read = format.rows(file.toUri().toString(), columns, CONF)) {
            for (Object[] row = read.next(); row != null; row = read.next()) {
                rows.add(Stream.of(row).map(ReadFile::comparable).toList());
            }
        } catch (BadRowException e) {
            throw new AssertionError(e);
        }
        return rows;
    }

    /** The same value with lists instead of arrays and structs. */
    public static Object comparable(Object value) {
        if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        } else if (value instanceof Object[] items) {
            return Stream.of(items).map(ReadFile::comparable).toList();
        } else if (value instanceof Row row) {
            return IntStream.range(0, row.size())
                    .mapToObj(i -> comparable(row.get(i)))
                    .toList();
        } else if (value instanceof scala.collection.Map<?, ?> map) {
            return comparable(CollectionConverters.asJava(map));
        } else if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            map.forEach((key, item) -> copy.put(comparable(key), comparable(item)));
            return copy;
        }
        return value;
    }
}
