package io.rankfeed.export.format.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.WrittenSet;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.HalfFloats;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TfRecordTest {
    private static final SampleSchema SCHEMA = DrawnRows.schema(field -> true);

    @ParameterizedTest
    @CsvSource({"0,1,0", "1,5,0", "5,5,0", "6,5,0", "11,4,0", "23,10,300000", "12,12,1"})
    void rows_ofAllTypes_areReadBack(int count, int partRows, long shardBytes) throws IOException {
        DrawnRows rows = DrawnRows.of(SCHEMA, count, 41 * count + partRows);
        WrittenSet written = write(rows, partRows, new FormatOptions(0, shardBytes, Map.of()));

        List<Map<String, byte[]>> read = read(written, shardBytes);
        assertThat(read).hasSize(count);
        for (int row = 0; row < count; row++) {
            for (int at = 0; at < SCHEMA.fields().size(); at++) {
                Field field = SCHEMA.fields().get(at);
                assertThat(value(field, read.get(row).get(field.name())))
                        .as("row %d, %s", row, field)
                        .isEqualTo(rows.values().get(row).get(at));
            }
        }
        assertThat(write(rows, partRows, written.set().options()).files().digests())
                .isEqualTo(written.files().digests());
    }

    @Test
    void checksum_ofTheTest_givesTheKnownRecord() {
        byte[] record = HexFormat.of().parseHex("0500000000000000eab2043e68656c6c6fbb1f1c19");
        ByteBuffer checksums = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(checksums.getInt(8)).isEqualTo(masked(record, 0, 8));
        assertThat(checksums.getInt(17)).isEqualTo(masked(record, 12, 5));
    }

    @Test
    void tensors_areStoredAsBytesOnRequest() throws IOException {
        DrawnRows rows = DrawnRows.of(SCHEMA, 5, 1);
        FormatOptions options = FormatOptions.none().with("tensors", "bytes");
        WrittenSet written = write(rows, 5, options);
        byte[] feature = read(written, 0).get(4).get("many_int16");
        assertThat(members(members(feature).get(0).bytes()).get(0).bytes())
                .isEqualTo(rows.values().get(4).get(SCHEMA.names().indexOf("many_int16")));
        assertThatThrownBy(() -> new TfRecord().check(WrittenSet.set(rows, 2, options.with("tensors", "raw"))))
                .isInstanceOf(ConfigException.class)
                .hasMessage("format tfrecord: tensors: 'raw' must be one of values, bytes");
    }

    /** More numbers than are encoded at once. */
    @Test
    void tensor_ofAMillionNumbers_isReadBack() throws IOException {
        Field field = new Field("tokens", DType.INT8, Shape.of(Shape.VARIABLE), false);
        DrawnRows drawn = DrawnRows.of(new SampleSchema(List.of(field)), 1, 1);
        byte[] tokens = new byte[(2 << 20) + 3];
        new Random(1).nextBytes(tokens);
        DrawnRows rows = new DrawnRows(drawn.schema(), drawn.ids(), List.of(List.of(tokens)));
        byte[] feature = read(write(rows, 1, FormatOptions.none()), 0).get(0).get("tokens");
        assertThat(value(field, feature)).isEqualTo(tokens);
    }

    @Test
    void rowsOfNone_areAFileWithoutRecords() throws IOException {
        WrittenSet written = write(DrawnRows.of(SCHEMA, 0, 1), 1, FormatOptions.none());
        assertThat(written.files().published())
                .containsOnlyKeys("train/00000.tfindex", "train/00000.tfrecord", "train_metadata.json");
        assertThat(written.files().file("train/00000.tfrecord")).isEmpty();
    }

    @Test
    void index_false_isNotWritten() throws IOException {
        DrawnRows rows = DrawnRows.of(SCHEMA, 3, 1);
        FormatOptions options = FormatOptions.none().with("index", "false");
        assertThat(write(rows, 2, options).files().published())
                .containsOnlyKeys("train/00000.tfrecord", "train/00001.tfrecord", "train_metadata.json");
        assertThatThrownBy(() -> new TfRecord().check(WrittenSet.set(rows, 2, options.with("index", "yes"))))
                .isInstanceOf(ConfigException.class)
                .hasMessage("format tfrecord: index: 'yes' must be one of true, false");
    }

    private static WrittenSet write(DrawnRows rows, int partRows, FormatOptions options) throws IOException {
        return WrittenSet.of(new TfRecord(), WrittenSet.set(rows, partRows, options), rows);
    }

    /** The value of a field as bytes. */
    private static byte @Nullable [] value(Field field, byte @Nullable [] feature) {
        if (feature == null) {
            return null;
        }
        List<Message> kinds = members(feature);
        assertThat(kinds).hasSize(1);
        List<Message> values = members(kinds.get(0).bytes());
        DType type = field.dtype();
        if (type.isBytes() || type == DType.FLOAT64) {
            assertThat(kinds.get(0).number()).isEqualTo(1);
            return field.kind() == Field.Kind.LIST
                    ? PackedList.of(values.stream().map(Message::bytes).toList())
                    : values.get(0).bytes();
        }
        ByteBuffer packed = ByteBuffer.wrap(
                        values.isEmpty() ? new byte[0] : values.get(0).bytes())
                .order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer elements = ByteBuffer.allocate(packed.limit() * 8).order(ByteOrder.LITTLE_ENDIAN);
        boolean floats = type.id().contains("float");
        assertThat(kinds.get(0).number()).isEqualTo(floats ? 2 : 3);
        while (packed.hasRemaining()) {
            long bits = floats ? floatBits(type, packed.getFloat()) : varint(packed);
            for (int i = 0; i < type.sizeBytes(); i++) {
                elements.put((byte) (bits >>> (8 * i)));
            }
        }
        byte[] value = new byte[elements.position()];
        elements.get(0, value);
        return value;
    }

    private static long floatBits(DType type, float value) {
        short half = type == DType.FLOAT16 ? HalfFloats.float16(value) : HalfFloats.bfloat16(value);
        return type == DType.FLOAT32 ? Float.floatToRawIntBits(value) : half;
    }

    /** Reads records with their checksums: by row the bytes of each feature. Compares the index with what was found. */
    private static List<Map<String, byte[]>> read(WrittenSet written, long shardBytes) {
        List<Map<String, byte[]>> rows = new ArrayList<>();
        written.files().published().forEach((path, bytes) -> {
            if (!path.endsWith(".tfrecord")) {
                return;
            }
            ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            StringBuilder index = new StringBuilder();
            int first = rows.size();
            while (file.hasRemaining()) {
                int start = file.position();
                int length = Math.toIntExact(file.getLong());
                assertThat(file.getInt()).isEqualTo(masked(bytes, start, 8));
                byte[] example = new byte[length];
                file.get(example);
                assertThat(file.getInt()).isEqualTo(masked(example, 0, length));
                index.append(start).append(' ').append(file.position() - start).append('\n');
                rows.add(features(example));
            }
            assertThat(written.files().file(path.replace("tfrecord", "tfindex")))
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo(index.toString());
            assertThat(shardBytes == 0 || rows.size() == first + 1 || bytes.length <= shardBytes)
                    .isTrue();
        });
        return rows;
    }

    private static Map<String, byte[]> features(byte[] example) {
        Map<String, byte[]> features = new HashMap<>();
        for (Message of : members(example)) {
            for (Message entry : members(of.bytes())) {
                List<Message> pair = members(entry.bytes());
                assertThat(pair.stream().map(Message::number)).containsExactly(1, 2);
                features.put(
                        new String(pair.get(0).bytes(), StandardCharsets.US_ASCII),
                        pair.get(1).bytes());
            }
        }
        return features;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Message(int number, byte[] bytes) {}

    /** The members of a message that has bytes only. */
    private static List<Message> members(byte[] message) {
        List<Message> members = new ArrayList<>();
        ByteBuffer left = ByteBuffer.wrap(message);
        while (left.hasRemaining()) {
            long tag = varint(left);
            assertThat(tag & 7).isEqualTo(2);
            byte[] bytes = new byte[Math.toIntExact(varint(left))];
            left.get(bytes);
            members.add(new Message((int) tag >> 3, bytes));
        }
        return members;
    }

    private static long varint(ByteBuffer from) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = from.get();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    /** CRC32C bit by bit, masked. */
    private static int masked(byte[] bytes, int offset, int length) {
        int crc = -1;
        for (int i = offset; i < offset + length; i++) {
            crc ^= bytes[i] & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc >>> 1 ^ (0x82F63B78 & -(crc & 1));
            }
        }
        crc = ~crc;
        return (crc >>> 15 | crc << 17) + 0xa282ead8;
    }
}
