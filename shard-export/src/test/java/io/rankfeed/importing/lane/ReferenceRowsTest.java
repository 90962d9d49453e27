package io.rankfeed.importing.lane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.export.ArrowTable;
import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.importing.format.Formats;
import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.manifest.External;
import java.io.ByteArrayOutputStream;
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
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes with references, as Arrow's own reader sees them, lead to the values that the library of each format reads. */
class ReferenceRowsTest {
    private static final Path FOLDER = Path.of("src/test/resources/foreign");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npy",
                "enn",
                "enn-ids",
                "enn-several",
                "image-mmap",
                "megatron",
                "huggingface",
                "webdataset",
                "tars",
                "images"
            })
    void references_leadToTheLibrarysValues(String name) throws IOException {
        JsonNode expected = new ObjectMapper()
                .readTree(FOLDER.resolve("expected.json").toFile())
                .path(name);
        Set<String> names = new TreeSet<>();
        expected.path("columns").fieldNames().forEachRemaining(names::add);

        DatasetIndex index = index(name, names, 3);
        byte[] lane = lane(index);

        assertThat(lane).isEqualTo(lane(index(name, names, 1)));
        Map<String, List<Object>> columns = ArrowTable.read(lane).columns();
        int at = 0;
        for (JsonNode part : expected.path("parts")) {
            for (JsonNode row : part.path("rows")) {
                for (Field field : index.schema().fields()) {
                    boolean isMissing = field.nullable()
                            && ((Number) columns.get(field.name() + ".valid").get(at)).intValue() == 0;
                    assertThat(isMissing ? "none" : value(FOLDER.resolve(name), index, field, columns, at))
                            .as("column %s of row %d", field.name(), at)
                            .isEqualTo(row.path(field.name()).asText("none").replace("null", "none"));
                }
                at++;
            }
        }
        assertThat(index.wholeRows()).isEqualTo(at);
        assertThat(columns.get("_row_id")).hasSize(at);
        assertThat(index.schema().names()).containsExactlyInAnyOrderElementsOf(names);
    }

    private static DatasetIndex index(String name, Set<String> names, int threads) {
        Path folder = FOLDER.resolve(name);
        return DatasetIndex.of(
                Formats.open(folder, Optional.empty()), DatasetRoot.at(folder), names, threads, part -> {});
    }

    private static byte[] lane(DatasetIndex index) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LaneWriter lane = new LaneWriter(new LaneHeader("train", "0", External.stored(index.schema()), 4), out);
        ReferenceRows rows = new ReferenceRows(index);
        for (int part = 0; part < index.parts().size(); part++) {
            for (long row = 0; row < index.indexed().get(part).rows(); row++) {
                rows.write(lane, 100L * part + row, part, row);
            }
        }
        lane.finish();
        return out.toByteArray();
    }

    private static String value(Path root, DatasetIndex index, Field field, Map<String, List<Object>> columns, int at)
            throws IOException {
        Object stored = columns.get(field.name()).get(at);
        List<?> elements = stored instanceof List<?> list ? list : List.of(stored);
        if (External.isInline(field)) {
            return hex(elements, field.dtype());
        }
        long offset = ((Number) elements.get(0)).longValue();
        int length = elements.size() == 1 ? field.strideBytes() : ((Number) elements.get(1)).intValue();
        int file = ((Number) columns.get("_source").get(at)).intValue()
                + index.columns().files().get(field.name());
        try (FileChannel channel = FileChannel.open(root.resolve(index.files().get(file)))) {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            channel.read(bytes, offset);
            return HexFormat.of().formatHex(bytes.array(), 0, bytes.position());
        }
    }

    private static String hex(List<?> elements, DType dtype) {
        List<String> parts = new ArrayList<>();
        for (Object element : elements) {
            long bits = element instanceof Float value
                    ? Float.floatToRawIntBits(value)
                    : element instanceof Double value
                            ? Double.doubleToRawLongBits(value)
                            // Arrow's reader has uint16 as characters.
                            : element instanceof Number value
                                    ? value.longValue()
                                    : element.toString().charAt(0);
            byte[] bytes = ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(bits)
                    .array();
            parts.add(HexFormat.of().formatHex(Arrays.copyOf(bytes, dtype.sizeBytes())));
        }
        return String.join("", parts);
    }
}
