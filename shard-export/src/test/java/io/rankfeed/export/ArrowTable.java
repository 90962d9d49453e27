package io.rankfeed.export;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.SeekableReadChannel;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;

/** A file as Arrow's own Java reader sees it: columns of plain objects, and what the footer says. */
public record ArrowTable(
        Schema schema, Map<String, String> metadata, List<Integer> batchRows, Map<String, List<Object>> columns) {
    public static ArrowTable read(byte[] file) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowFileReader reader = new ArrowFileReader(
                        new SeekableReadChannel(new ByteArrayReadableSeekableByteChannel(file)), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            Map<String, List<Object>> columns = new LinkedHashMap<>();
            List<Integer> batchRows = new ArrayList<>();
            while (reader.loadNextBatch()) {
                batchRows.add(root.getRowCount());
                for (FieldVector vector : root.getFieldVectors()) {
                    List<Object> values = columns.computeIfAbsent(vector.getName(), name -> new ArrayList<>());
                    for (int row = 0; row < root.getRowCount(); row++) {
                        values.add(plain(vector.getObject(row)));
                    }
                }
            }
            return new ArrowTable(root.getSchema(), reader.getMetaData(), batchRows, columns);
        }
    }

    /** Rows that Arrow's stream reader finds when it reads from after the magic and never sees the footer. */
    public static int rowsAsStream(byte[] file) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowStreamReader reader = new ArrowStreamReader(
                        Channels.newChannel(new ByteArrayInputStream(file, 8, file.length - 8)), allocator)) {
            int rows = 0;
            while (reader.loadNextBatch()) {
                rows += reader.getVectorSchemaRoot().getRowCount();
            }
            return rows;
        }
    }

    private static Object plain(Object value) {
        return value instanceof byte[] bytes
                ? ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
                : value instanceof List<?> list
                        ? list.stream().map(ArrowTable::plain).toList()
                        : value instanceof CharSequence || value instanceof Number ? value : String.valueOf(value);
    }
}
