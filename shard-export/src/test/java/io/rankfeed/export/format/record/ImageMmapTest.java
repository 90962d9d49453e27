package io.rankfeed.export.format.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.WrittenSet;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageMmapTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();
    private static final SampleSchema SCHEMA = DrawnRows.schema(
            field -> field.name().equals("binary") || field.dtype() == DType.STRING || Format.isNumber(field));

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 40})
    void images_areReadBack(int count) throws IOException {
        DrawnRows rows = DrawnRows.of(SCHEMA, count, count);
        WrittenSet written =
                WrittenSet.of(new ImageMmap(), WrittenSet.set(rows, Math.max(1, count), FormatOptions.none()), rows);

        assertThat(written.files().published()).containsOnlyKeys("train.mmap", "train_metadata.json");
        byte[] file = written.files().file("train.mmap");
        ByteBuffer head = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        JsonNode metadata = JSON.readTree(written.files().file("train_metadata.json"));
        assertThat(head.getLong()).isEqualTo(count);
        assertThat(metadata).hasSize(count);
        long end = 8 + 16L * count;
        int image = SCHEMA.names().indexOf("binary");
        for (int row = 0; row < count; row++) {
            long offset = head.getLong();
            long length = head.getLong();
            assertThat(offset).isEqualTo(end);
            end += length;
            assertThat(Arrays.copyOfRange(file, (int) offset, (int) end))
                    .isEqualTo(rows.values().get(row).get(image));
            assertThat(metadata.get(row).get("id").longValue())
                    .isEqualTo(rows.ids().get(row));
            assertThat(metadata.get(row)).hasSize(SCHEMA.fields().size());
            assertTexts(rows, row, metadata.get(row));
        }
        assertThat(end).isEqualTo(file.length);
        assertThat(WrittenSet.of(new ImageMmap(), written.set(), rows).files().digests())
                .isEqualTo(written.files().digests());
    }

    @Test
    void whatCannotBeStored_isRefusedWithColumnAndReason() {
        Field image = new Field("image", DType.BINARY, Shape.scalar(), false);
        refused("", "set image to the column with the bytes of the images; no column is binary", number("x"));
        refused("", "binary are image, other", image, new Field("other", DType.BINARY, Shape.scalar(), false));
        refused("x", "binary are image, not 'x'", image, number("x"));
        refused(
                "",
                "column 'image' (binary [], nullable): a missing image would be read as an empty one",
                new Field("image", DType.BINARY, Shape.scalar(), true));
        refused(
                "",
                "column 'id' (int64 []): it is not the option image, and the metadata has the row id under this name",
                image,
                number("id"));
        refused(
                "",
                "column 'box' (float32 [4]): it is not the option image, and the metadata has numbers and strings only",
                image,
                new Field("box", DType.FLOAT32, Shape.of(4), false));
    }

    private static Field number(String name) {
        return new Field(name, DType.INT64, Shape.scalar(), false);
    }

    private static void refused(String image, String message, Field... fields) {
        DrawnRows rows = DrawnRows.of(new SampleSchema(List.of(fields)), 0, 1);
        FormatOptions options =
                image.isEmpty() ? FormatOptions.none() : FormatOptions.none().with("image", image);
        assertThatThrownBy(() -> new ImageMmap().check(WrittenSet.set(rows, 1, options)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    private static void assertTexts(DrawnRows rows, int row, JsonNode metadata) {
        for (int at = 0; at < SCHEMA.fields().size(); at++) {
            Field field = SCHEMA.fields().get(at);
            byte[] value = rows.values().get(row).get(at);
            JsonNode stored = metadata.path(field.name());
            if (value == null) {
                assertThat(stored.isNull()).as(field.name()).isTrue();
            } else if (field.kind() == Field.Kind.LIST) {
                List<byte[]> items = new ArrayList<>();
                stored.forEach(item -> items.add(item.textValue().getBytes(StandardCharsets.UTF_8)));
                assertThat(PackedList.of(items)).as(field.name()).isEqualTo(value);
            } else if (field.dtype() == DType.STRING) {
                assertThat(stored.textValue()).isEqualTo(new String(value, StandardCharsets.UTF_8));
            }
        }
    }
}
