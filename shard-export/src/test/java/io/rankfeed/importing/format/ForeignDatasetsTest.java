package io.rankfeed.importing.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.importing.index.ForeignDataset;
import io.rankfeed.importing.index.ForeignDataset.Part;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.Values;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Datasets that other libraries wrote (src/test/python/foreign_datasets.py) are indexed so that the bytes at each offset are the values
 * that these libraries read.
 */
@Tag("java17")
class ForeignDatasetsTest {
    private static final Path FOLDER = Path.of("src/test/resources/foreign");

    static Stream<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        expected().fieldNames().forEachRemaining(names::add);
        assertThat(names).hasSize(11);
        return names.stream();
    }

    private static JsonNode expected() throws IOException {
        return new ObjectMapper().readTree(FOLDER.resolve("expected.json").toFile());
    }

    @ParameterizedTest
    @MethodSource("names")
    void indexedValues_areThoseOfTheLibrary(String name) throws IOException {
        JsonNode dataset = expected().path(name);
        ForeignDataset found = Formats.open(FOLDER.resolve(name), Optional.empty());

        assertThat(found.format()).isEqualTo(dataset.path("format").asText());
        List<IndexedPart> parts =
                found.parts().stream().map(part -> found.index(part, Set.of())).toList();
        assertThat(columns(parts)).isEqualTo(columns(dataset));
        assertThat(parts).hasSize(dataset.path("parts").size());
        for (int p = 0; p < parts.size(); p++) {
            JsonNode part = dataset.path("parts").path(p);
            IndexedPart indexed = parts.get(p);
            assertThat(indexed.damages().named()).isEmpty();
            assertThat(indexed.rows()).isEqualTo(part.path("rows").size());
            assertThat(indexed.keys()).isEqualTo(new ObjectMapper().convertValue(part.path("keys"), List.class));
            requireRows(FOLDER.resolve(name), found.parts().get(p), indexed, part.path("rows"));
        }
        assertThat(parts.stream()
                        .flatMap(part -> part.refused().keySet().stream())
                        .distinct()
                        .sorted())
                .isEqualTo(new ObjectMapper().convertValue(dataset.path("refused"), List.class));
    }

    private static void requireRows(Path root, Part files, IndexedPart part, JsonNode rows) throws IOException {
        for (IndexedColumn column : part.columns()) {
            for (int row = 0; row < part.rows(); row++) {
                String file = files.files().get(part.hasFilePerRow() ? row : column.file());
                JsonNode value = rows.path(row).path(column.name());
                assertThat(value(root.resolve(file), column, row))
                        .as("column %s, row %d of %s", column.name(), row, file)
                        .isEqualTo(value.isNull() ? "none" : value.asText("absent"));
            }
        }
    }

    private static String value(Path file, IndexedColumn column, int row) throws IOException {
        if (column.values() instanceof Values.Numbers numbers) {
            byte[] bits = ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(numbers.bits(row))
                    .array();
            return numbers.isMissing(row)
                    ? "none"
                    : HexFormat.of()
                            .formatHex(Arrays.copyOf(bits, column.dtype().sizeBytes()));
        }
        Values.Located located = (Values.Located) column.values();
        if (located.length(row) == Values.MISSING) {
            return "none";
        }
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) located.length(row));
            channel.read(bytes, located.offset(row));
            return HexFormat.of().formatHex(bytes.array(), 0, bytes.position());
        }
    }

    /** Type, shape and whether a sample of any part has no value, by name. */
    private static Map<String, String> columns(List<IndexedPart> parts) {
        Map<String, String> columns = new TreeMap<>();
        for (IndexedPart part : parts) {
            for (IndexedColumn column : part.columns()) {
                boolean isNullable = parts.stream().anyMatch(one -> one.columns().stream()
                        .anyMatch(other -> other.name().equals(column.name())
                                && other.values().hasMissing()));
                columns.put(column.name(), column.dtype().id() + " " + column.shape() + " " + isNullable);
            }
        }
        return columns;
    }

    private static Map<String, String> columns(JsonNode dataset) {
        Map<String, String> columns = new TreeMap<>();
        dataset.path("columns")
                .properties()
                .forEach(column -> columns.put(
                        column.getKey(),
                        column.getValue().path("dtype").asText() + " "
                                + column.getValue().path("shape").toString().replace(",", ", ") + " "
                                + column.getValue().path("nullable").asBoolean()));
        return columns;
    }
}
