package io.rankfeed.spark.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;

/** A cache file as Arrow's own reader sees it: columns of plain objects, and how many rows each batch has. */
public record ArrowFile(Map<String, String> metadata, List<Integer> batchRows, Map<String, List<Object>> columns) {
    public static ArrowFile read(Path file) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                FileChannel channel = FileChannel.open(file);
                ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            Map<String, List<Object>> columns = new LinkedHashMap<>();
            List<Integer> batchRows = new ArrayList<>();
            while (reader.loadNextBatch()) {
                batchRows.add(root.getRowCount());
                for (FieldVector vector : root.getFieldVectors()) {
                    List<Object> values = columns.computeIfAbsent(vector.getName(), name -> new ArrayList<>());
                    for (int row = 0; row < root.getRowCount(); row++) {
                        Object value = vector.getObject(row);
                        values.add(plain(value));
                    }
                }
            }
            return new ArrowFile(reader.getMetaData(), batchRows, columns);
        }
    }

    /** Lists, numbers and bytes, which are equal where their contents are; anything else as text. */
    private static Object plain(Object value) {
        if (value instanceof List<?> list) {
            return List.copyOf(list);
        }
        return value instanceof byte[] bytes
                ? ByteBuffer.wrap(bytes)
                : value instanceof Number ? value : String.valueOf(value);
    }
}
