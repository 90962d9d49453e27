package io.rankfeed.spark.engine.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection$;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowChecksumTest {
    private static final List<String> PROVENANCE = List.of("_row_id", "_source", "_source_row");

    @Test
    void checksum_equalsThatOfThePage() {
        StructType file = file("a DOUBLE, b STRING, c FLOAT, d BOOLEAN, e SMALLINT");
        Object[] values = {
            -0.0, UTF8String.fromString("é"), Float.intBitsToFloat(0xffc00001), true, null, 3L, 4, 5L, null
        };
        ByteBuffer numbers = head(9, 3, 4, 5);
        numbers.put((byte) 1).putLong(0x8000000000000000L);
        numbers.put((byte) 1).putLong(0x7fc00000);
        numbers.put((byte) 1).putLong(1);
        numbers.put((byte) 0);
        ByteBuffer text = head(9, 3, 4, 5);
        text.put((byte) 1).putInt(2).put((byte) 0xc3).put((byte) 0xa9);
        assertThat(checksums(file, values, 9))
                .isEqualTo(ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(crc(numbers))
                        .putInt(crc(text))
                        .array());
    }

    @Test
    void valueOrRowNumber_changed_isFoundInItsColumnGroup() {
        Random random = new Random(11);
        for (int columns : new int[] {1, 5, 16, 17, 40, 200}) {
            StructType file = drawn(columns, random);
            Object[] row = values(file, random);
            row[columns + 3] = checksums(file, row, 7);
            RowChecksum checksum = RowChecksum.in(file).orElseThrow();
            assertThat(((byte[]) row[columns + 3]).length).isBetween(4, 64);
            assertThat(differing(checksum, row, 7)).isEmpty();
            assertThat(differing(checksum, row, 8)).isNotEmpty();
            for (int i = 0; i < columns; i++) {
                Object[] other = row.clone();
                do {
                    other[i] = value(file.apply(i).dataType().typeName(), random);
                } while (same(other[i], row[i]));
                assertThat(differing(checksum, other, 7)).contains("c" + i);

                RowChecksum part = checksum.over(with(checksum.columnsWith(List.of("c" + i))));
                assertThat(differing(part, moved(other, checksum, i), 7)).contains("c" + i);
                assertThat(differing(part, moved(row, checksum, i), 7)).isEmpty();
            }
            for (int i = columns; i < columns + 3; i++) {
                Object[] other = row.clone();
                other[i] = other[i] instanceof Integer number ? (Object) (number + 1) : (Object) ((Long) other[i] + 1);
                assertThat(differing(checksum, other, 7)).isNotEmpty();
            }
        }
    }

    /** The same values, in the row of a query and in one of a reader, have one checksum. */
    private static byte[] checksums(StructType file, Object[] values, long number) {
        RowChecksum.Computation computation = RowChecksum.in(file).orElseThrow().open();
        byte[] plain = computation.of(new GenericInternalRow(values), number).clone();
        byte[] unsafe =
                computation.of(UnsafeProjection$.MODULE$.create(file).apply(new GenericInternalRow(values)), number);
        assertThat(unsafe).isEqualTo(plain);
        return plain;
    }

    private static List<String> differing(RowChecksum checksum, Object[] row, long number) {
        return checksum.open().differing(new GenericInternalRow(row), number);
    }

    private static List<String> with(List<String> columns) {
        return Stream.of(PROVENANCE, columns, List.of("_checksum"))
                .flatMap(List::stream)
                .toList();
    }

    /** The columns that are checked with column i, behind the provenance. */
    private static Object[] moved(Object[] row, RowChecksum whole, int i) {
        List<@Nullable Object> values = new ArrayList<>(Arrays.asList(row).subList(row.length - 4, row.length - 1));
        whole.columnsWith(List.of("c" + i)).forEach(name -> values.add(row[Integer.parseInt(name.substring(1))]));
        values.add(row[row.length - 1]);
        return values.toArray();
    }

    private static StructType file(String ddl) {
        return StructType.fromDDL(ddl)
                .add("_row_id", DataTypes.LongType)
                .add("_source", DataTypes.IntegerType)
                .add("_source_row", DataTypes.LongType)
                .add(RowChecksum.field());
    }

    private static StructType drawn(int columns, Random random) {
        List<String> types = List.of("BOOLEAN", "TINYINT", "INT", "BIGINT", "DOUBLE", "STRING", "BINARY");
        return file(IntStream.range(0, columns)
                .mapToObj(i -> "c" + i + " " + types.get(random.nextInt(types.size())))
                .reduce((one, other) -> one + ", " + other)
                .orElseThrow());
    }

    private static Object[] values(StructType file, Random random) {
        Object[] values = new Object[file.length()];
        for (int i = 0; i < file.length() - 4; i++) {
            values[i] = value(file.apply(i).dataType().typeName(), random);
        }
        values[file.length() - 4] = random.nextLong();
        values[file.length() - 3] = random.nextInt(9);
        values[file.length() - 2] = random.nextLong(1000);
        return values;
    }

    private static @Nullable Object value(String type, Random random) {
        if (random.nextInt(5) == 0) {
            return null;
        }
        byte[] bytes = new byte[random.nextInt(600)];
        random.nextBytes(bytes);
        return switch (type) {
            case "boolean" -> random.nextBoolean();
            case "byte" -> (byte) random.nextInt();
            case "integer" -> random.nextInt(3);
            case "long" -> random.nextLong();
            case "double" -> random.nextInt(4) / 2.0;
            case "string" -> UTF8String.fromString("text " + random.nextInt(4));
            default -> bytes;
        };
    }

    private static boolean same(@Nullable Object one, @Nullable Object other) {
        return Arrays.deepEquals(new Object[] {one}, new Object[] {other});
    }

    private static ByteBuffer head(long number, long rowId, int source, long sourceRow) {
        return ByteBuffer.allocate(200)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .putLong(rowId)
                .putInt(source)
                .putLong(sourceRow);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.flip());
        return (int) crc.getValue();
    }
}
