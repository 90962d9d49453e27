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
import io.rankfeed.schema.NumberBits;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebDatasetTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();
    private static final SampleSchema SCHEMA =
            DrawnRows.schema(field -> field.kind() != Field.Kind.LIST || field.dtype() == DType.STRING);

    @ParameterizedTest
    @CsvSource({"0,1,0", "1,5,0", "5,5,0", "6,5,0", "11,4,0", "23,10,300000", "12,12,1"})
    void rows_ofAllTypes_areReadBack(int count, int partRows, long shardBytes) throws IOException {
        DrawnRows rows = DrawnRows.of(SCHEMA, count, 37 * count + partRows);
        FormatOptions options = new FormatOptions(0, shardBytes, Map.of());
        WrittenSet written = WrittenSet.of(new WebDataset(), WrittenSet.set(rows, partRows, options), rows);

        Map<String, Map<String, byte[]>> samples = TarFiles.read(written, shardBytes);
        assertThat(samples.keySet())
                .containsExactlyElementsOf(
                        rows.ids().stream().map(String::valueOf).toList());
        for (int row = 0; row < count; row++) {
            Map<String, byte[]> sample = samples.get(rows.ids().get(row).toString());
            for (int at = 0; at < SCHEMA.fields().size(); at++) {
                Field field = SCHEMA.fields().get(at);
                assertThat(value(field, sample))
                        .as("row %d, %s", row, field)
                        .isEqualTo(rows.values().get(row).get(at));
            }
        }
        assertThat(WrittenSet.of(new WebDataset(), written.set(), rows).files().digests())
                .isEqualTo(written.files().digests());
    }

    @Test
    void shards_haveAsManyRowsAsFit() throws IOException {
        DrawnRows rows = DrawnRows.of(DrawnRows.schema(field -> field.name().equals("int64")), 7, 1);
        // Header and value take a block each, the end two.
        assertThat(shardRows(rows, 512 * (2 * 3 + 2))).containsExactly(3L, 3L, 1L);
        assertThat(shardRows(rows, 512 * (2 * 3 + 2) - 1)).containsExactly(2L, 2L, 2L, 1L);
    }

    @Test
    void rowOfMissingValues_hasAnEntry() throws IOException {
        DrawnRows rows = new DrawnRows(
                DrawnRows.schema(field -> field.name().equals("string_or_null")),
                List.of(5L),
                List.of(Arrays.asList(new byte[][] {null})));
        WrittenSet written = WrittenSet.of(new WebDataset(), WrittenSet.set(rows, 1, FormatOptions.none()), rows);
        assertThat(TarFiles.read(written, 0).get("5")).containsOnlyKeys("json");
    }

    @Test
    void extensions_areChosenByColumn() throws IOException {
        SampleSchema schema =
                DrawnRows.schema(field -> Set.of("binary", "string").contains(field.name()));
        DrawnRows rows = DrawnRows.of(schema, 2, 3);
        FormatOptions options = FormatOptions.none().with("extensions", "binary=jpg, string=json");
        WrittenSet written = WrittenSet.of(new WebDataset(), WrittenSet.set(rows, 2, options), rows);
        assertThat(TarFiles.read(written, 0).values())
                .allSatisfy(sample -> assertThat(sample.keySet()).containsExactly("jpg", "json"));
    }

    @Test
    void whatCannotBeStored_isRefusedWithColumnAndReason() {
        refused(
                "",
                "column 'many_binary' (binary [null]): lists are stored as JSON",
                new Field("many_binary", DType.BINARY, Shape.of(Shape.VARIABLE), false));
        refused(
                "",
                "column 'text' (string []): another column has the extension 'text.txt'",
                new Field("Text", DType.STRING, Shape.scalar(), false),
                new Field("text", DType.STRING, Shape.scalar(), false));
        refused(
                "text=json",
                "extension 'json' has the numbers of a row",
                new Field("text", DType.STRING, Shape.scalar(), false),
                new Field("label", DType.INT32, Shape.scalar(), false));
        for (String option : List.of("text", "text=", "text=J PG", "other=jpg", "text=../x")) {
            refused(
                    option,
                    "'" + option + "' is not COLUMN=EXTENSION",
                    new Field("text", DType.STRING, Shape.scalar(), false));
        }
        Field text = new Field("text", DType.STRING, Shape.scalar(), false);
        Field label = new Field("label", DType.INT32, Shape.scalar(), false);
        refused("label=cls", "column 'label' (int32 []): one number has no extension", text, label);
        refused("text=a,text=b", "'text=b' is the second of its column", text);
        refused("text=__key__", "'text=__key__' has a name that the library adds", text);
        refused(
                "text=" + "x".repeat(80),
                "has more than 79 characters",
                new Field("text", DType.STRING, Shape.scalar(), false));
    }

    private static void refused(String extensions, String message, Field... fields) {
        DrawnRows rows = DrawnRows.of(new SampleSchema(List.of(fields)), 0, 1);
        FormatOptions options = FormatOptions.none().with("extensions", extensions);
        assertThatThrownBy(() -> new WebDataset().check(WrittenSet.set(rows, 1, options)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    private static List<Long> shardRows(DrawnRows rows, int shardBytes) throws IOException {
        WrittenSet written = WrittenSet.of(
                new WebDataset(), WrittenSet.set(rows, 7, new FormatOptions(0, shardBytes, Map.of())), rows);
        TarFiles.read(written, shardBytes);
        return written.parts().get(0).files().stream().map(file -> file.rows()).toList();
    }

    /** The value of a field as bytes, decoded by the rules of its extension. */
    private static byte @Nullable [] value(Field field, Map<String, byte[]> sample) throws IOException {
        if (Format.isNumber(field)) {
            JsonNode number = JSON.readTree(sample.get("json")).get(field.name());
            if (number.isNull()) {
                return null;
            }
            String text = text(field, sample);
            long bits =
                    switch (text) {
                        case "true", "false" -> number.booleanValue() ? 1 : 0;
                        case "-0.0" -> 1L << (field.dtype().sizeBytes() * 8 - 1);
                        case "NaN", "Infinity", "-Infinity" -> DrawnRows.nonFinite(field.dtype(), text);
                        default -> NumberBits.of("", field.dtype(), new BigDecimal(text));
                    };
            byte[] bytes = new byte[field.dtype().sizeBytes()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (bits >>> (8 * i));
            }
            return bytes;
        }
        return switch (field.kind()) {
            case FIXED, RAGGED -> array(field, sample.get(field.name() + ".npy"));
            case BYTES -> sample.get(field.name() + (field.dtype() == DType.STRING ? ".txt" : ".bin"));
            case LIST -> {
                byte[] json = sample.get(field.name() + ".json");
                List<byte[]> items = new ArrayList<>();
                if (json != null) {
                    JSON.readTree(json)
                            .forEach(item -> items.add(item.textValue().getBytes(StandardCharsets.UTF_8)));
                }
                yield json == null ? null : PackedList.of(items);
            }
        };
    }

    private static String text(Field field, Map<String, byte[]> sample) {
        String json = new String(sample.get("json"), StandardCharsets.UTF_8);
        int at = json.indexOf("\"" + field.name() + "\": ") + field.name().length() + 4;
        return json.substring(at).split("[,}]", -1)[0];
    }

    private static byte @Nullable [] array(Field field, byte @Nullable [] npy) {
        if (npy == null) {
            return null;
        }
        int start = 10 + (npy[8] & 0xFF) + ((npy[9] & 0xFF) << 8);
        assertThat(start % 64).isZero();
        byte[] data = Arrays.copyOfRange(npy, start, npy.length);
        StringBuilder shape = new StringBuilder();
        for (int dim : field.shape().dims()) {
            shape.append(dim == Shape.VARIABLE ? data.length / field.strideBytes() : dim)
                    .append(", ");
        }
        String tuple = field.shape().rank() == 1 ? shape.toString().trim() : shape.substring(0, shape.length() - 2);
        String code =
                switch (field.dtype()) {
                    case BOOL -> "|b1";
                    case INT8 -> "|i1";
                    case UINT8 -> "|u1";
                    case UINT16, BFLOAT16 -> "<u2";
                    case INT16 -> "<i2";
                    case INT32 -> "<i4";
                    case UINT32 -> "<u4";
                    case INT64 -> "<i8";
                    case UINT64 -> "<u8";
                    case FLOAT16 -> "<f2";
                    case FLOAT32 -> "<f4";
                    default -> "<f8";
                };
        assertThat(new String(npy, 0, start, StandardCharsets.ISO_8859_1))
                .startsWith("\u0093NUMPY\1\0")
                .contains("{'descr': '" + code + "', 'fortran_order': False, 'shape': (" + tuple + "), }")
                .endsWith(" \n");
        return data;
    }
}
