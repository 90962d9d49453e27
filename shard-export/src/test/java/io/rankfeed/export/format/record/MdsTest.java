package io.rankfeed.export.format.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.WrittenSet;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MdsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final SampleSchema SCHEMA =
            DrawnRows.schema(field -> field.kind() != Field.Kind.LIST || field.dtype() == DType.STRING);

    @ParameterizedTest
    @CsvSource({"0,1,0", "1,5,0", "5,5,0", "6,5,0", "11,4,0", "23,10,300000", "12,12,1"})
    void rows_ofAllTypes_areReadBack(int count, int partRows, long shardBytes) throws IOException {
        DrawnRows rows = DrawnRows.of(SCHEMA, count, 31 * count + partRows);
        FormatOptions options = new FormatOptions(0, shardBytes, Map.of());
        WrittenSet written = WrittenSet.of(new Mds(), WrittenSet.set(rows, partRows, options), rows);
        List<List<byte @Nullable []>> read = read(written, shardBytes);
        assertThat(read).hasSize(count);
        for (int row = 0; row < count; row++) {
            for (int field = 0; field < SCHEMA.fields().size(); field++) {
                assertThat(read.get(row).get(field))
                        .as("row %d, %s", row, SCHEMA.fields().get(field))
                        .isEqualTo(rows.values().get(row).get(field));
            }
        }
        assertThat(WrittenSet.of(new Mds(), written.set(), rows).files().digests())
                .isEqualTo(written.files().digests());
    }

    @Test
    void shards_haveAsManyRowsAsFit() throws IOException {
        DrawnRows rows = DrawnRows.of(DrawnRows.schema(field -> field.name().equals("int64")), 10, 1);
        // Heads have the limit in decimal: 10 digits of the default, 3 of these.
        int config = shard(rows).length - 8 - 10 * 12 - 7;
        int four = 8 + config + 4 * 12;
        assertThat(four).isBetween(100, 999);
        assertThat(samples(rows, four)).containsExactly(4L, 4L, 2L);
        assertThat(samples(rows, four - 1)).containsExactly(3L, 3L, 3L, 1L);
    }

    @ParameterizedTest
    @CsvSource({"1,5,0", "5,5,0", "11,4,0", "23,10,20000", "7,7,1"})
    void rows_ofFixedSize_areReadBack(int count, int partRows, long shardBytes) throws IOException {
        DrawnRows rows = DrawnRows.of(DrawnRows.schema(field -> field.kind() == Field.Kind.FIXED), count, count);
        FormatOptions options = new FormatOptions(0, shardBytes, Map.of());
        WrittenSet written = WrittenSet.of(new Mds(), WrittenSet.set(rows, partRows, options), rows);

        assertThat(Arrays.deepEquals(matrix(read(written, shardBytes)), matrix(rows.values())))
                .isTrue();
        assertThat(written.files().open()).isZero();
    }

    @Test
    void listOfBinary_isRefusedWithColumnAndReason() {
        SampleSchema schema = DrawnRows.schema(field -> true);
        assertThatThrownBy(() -> new Mds().check(WrittenSet.set(DrawnRows.of(schema, 0, 1), 1, FormatOptions.none())))
                .isInstanceOf(ConfigException.class)
                .hasMessage("format mds cannot store column 'many_binary' (binary [null]): lists are stored as JSON,"
                        + " which has no binary; use tfrecord or lmdb");
    }

    private static List<Long> samples(DrawnRows rows, int shardBytes) throws IOException {
        WrittenSet written =
                WrittenSet.of(new Mds(), WrittenSet.set(rows, 10, new FormatOptions(0, shardBytes, Map.of())), rows);
        List<Long> samples = new ArrayList<>();
        for (JsonNode shard :
                JSON.readTree(written.files().file("train/index.json")).get("shards")) {
            samples.add(shard.get("samples").longValue());
            assertThat(shard.get("raw_data").get("bytes").intValue()).isLessThanOrEqualTo(shardBytes);
        }
        return samples;
    }

    private static byte[][][] matrix(List<List<byte @Nullable []>> rows) {
        return rows.stream().map(row -> row.toArray(new byte[0][])).toArray(byte[][][]::new);
    }

    private static byte[] shard(DrawnRows rows) throws IOException {
        return WrittenSet.of(new Mds(), WrittenSet.set(rows, 10, FormatOptions.none()), rows)
                .files()
                .file("train/shard.00000.mds");
    }

    /** Reads as the library does: index.json, then offsets, sizes and values. */
    private static List<List<byte @Nullable []>> read(WrittenSet written, long shardBytes) throws IOException {
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        JsonNode index = JSON.readTree(written.files().file("train/index.json"));
        assertThat(index.get("version").intValue()).isEqualTo(2);
        for (JsonNode shard : index.get("shards")) {
            assertThat(shard.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrder(
                            "column_names",
                            "column_encodings",
                            "column_sizes",
                            "compression",
                            "format",
                            "hashes",
                            "raw_data",
                            "samples",
                            "size_limit",
                            "version",
                            "zip_data");
            byte[] bytes = written.files()
                    .file("train/" + shard.get("raw_data").get("basename").textValue());
            assertThat(shard.get("raw_data").get("bytes").intValue()).isEqualTo(bytes.length);
            ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int samples = file.getInt(0);
            assertThat(shard.get("samples").intValue()).isEqualTo(samples);
            assertThat(file.getInt(4 + 4 * samples)).isEqualTo(bytes.length);
            assertThat(shardBytes == 0 || samples == 1 || bytes.length <= shardBytes)
                    .isTrue();
            for (int i = 0; i < samples; i++) {
                rows.add(sample(
                        shard,
                        file.position(file.getInt(4 + 4 * i)),
                        written.set().schema().names()));
                assertThat(file.position()).isEqualTo(file.getInt(8 + 4 * i));
            }
        }
        return rows;
    }

    private static List<byte @Nullable []> sample(JsonNode shard, ByteBuffer file, List<String> names)
            throws IOException {
        int columns = shard.get("column_names").size();
        int[] sizes = new int[columns];
        for (int i = 0; i < columns; i++) {
            JsonNode fixed = shard.get("column_sizes").get(i);
            sizes[i] = fixed.isNull() ? file.getInt() : fixed.intValue();
        }
        Map<String, byte[]> values = new HashMap<>();
        String before = "";
        for (int i = 0; i < columns; i++) {
            String name = shard.get("column_names").get(i).textValue();
            assertThat(name).isGreaterThan(before);
            before = name;
            byte[] value = new byte[sizes[i]];
            file.get(value);
            values.put(name, decoded(shard.get("column_encodings").get(i).textValue(), value));
        }
        List<byte @Nullable []> sample = new ArrayList<>();
        for (String name : names) {
            byte[] valid = values.get(name + ".valid");
            sample.add(valid != null && valid[0] == 0 ? null : values.get(name));
        }
        return sample;
    }

    private static byte[] decoded(String encoding, byte[] value) throws IOException {
        if (encoding.equals("json")) {
            List<byte[]> items = new ArrayList<>();
            for (JsonNode item : JSON.readTree(value)) {
                items.add(item.textValue().getBytes(StandardCharsets.UTF_8));
            }
            return PackedList.of(items);
        }
        if (!encoding.matches("ndarray:\\w+")) {
            return value;
        }
        int dims = value[0] >> 2;
        int width = 1 << (value[0] & 3);
        long elements = 1;
        for (int i = 0; i < dims; i++) {
            long dim = 0;
            for (int b = width - 1; b >= 0; b--) {
                dim = (dim << 8) | (value[1 + i * width + b] & 0xFF);
            }
            elements *= dim;
        }
        byte[] data = Arrays.copyOfRange(value, 1 + dims * width, value.length);
        int size = encoding.endsWith("8") ? 1 : encoding.endsWith("16") ? 2 : encoding.endsWith("32") ? 4 : 8;
        assertThat(data).hasSize(Math.toIntExact(elements * size));
        return data;
    }
}
