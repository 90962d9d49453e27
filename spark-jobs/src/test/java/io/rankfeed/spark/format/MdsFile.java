package io.rankfeed.spark.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The rows of MDS shards as bytes by column, read by the library's description of the format. */
final class MdsFile {
    private MdsFile() {}

    /** Rows of all shards below a folder, in the order of their names. */
    static List<Map<String, ByteBuffer>> rows(Path folder) throws IOException {
        List<Map<String, ByteBuffer>> rows = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(".mds")).sorted().forEach(file -> {
                try {
                    read(ByteBuffer.wrap(Files.readAllBytes(file)), rows);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return rows;
    }

    private static void read(ByteBuffer file, List<Map<String, ByteBuffer>> rows) throws IOException {
        file.order(ByteOrder.LITTLE_ENDIAN);
        int count = file.getInt();
        int[] offsets = new int[count + 1];
        for (int i = 0; i <= count; i++) {
            offsets[i] = file.getInt();
        }
        byte[] json = new byte[offsets[0] - file.position()];
        file.get(json);
        JsonNode config = new ObjectMapper().readTree(json);
        int columns = config.path("column_names").size();
        for (int i = 0; i < count; i++) {
            file.position(offsets[i]);
            int[] sizes = new int[columns];
            for (int c = 0; c < columns; c++) {
                JsonNode size = config.path("column_sizes").get(c);
                sizes[c] = size.isNull() ? file.getInt() : size.asInt();
            }
            Map<String, ByteBuffer> row = new LinkedHashMap<>();
            for (int c = 0; c < columns; c++) {
                ByteBuffer value = file.slice(file.position(), sizes[c]).order(ByteOrder.LITTLE_ENDIAN);
                row.put(config.path("column_names").get(c).asText(), value);
                file.position(file.position() + sizes[c]);
            }
            if (file.position() != offsets[i + 1]) {
                throw new IOException("row " + i + " ends at " + file.position() + ", not " + offsets[i + 1]);
            }
            rows.add(row);
        }
    }
}
