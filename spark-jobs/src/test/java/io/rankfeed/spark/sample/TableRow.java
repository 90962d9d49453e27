package io.rankfeed.spark.sample;

import io.rankfeed.sampling.order.Mix;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.KeyEncoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Row number n of the prepared table that these tests sample and export; every value is a function of n. */
public record TableRow(int n) {
    public static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("id", DType.INT64, Shape.scalar(), false),
            new Field("correct", DType.BOOL, Shape.scalar(), false),
            new Field("difficulty", DType.INT32, Shape.scalar(), false),
            new Field("part", DType.STRING, Shape.scalar(), false),
            new Field("tag", DType.STRING, Shape.scalar(), true),
            new Field("tokens", DType.INT32, Shape.of(Shape.VARIABLE), false),
            new Field("box", DType.FLOAT32, Shape.of(2, 3), false),
            new Field("score", DType.FLOAT64, Shape.scalar(), true)));

    static final StructType SPARK = new StructType()
            .add("id", DataTypes.LongType)
            .add("correct", DataTypes.BooleanType)
            .add("difficulty", DataTypes.IntegerType)
            .add("part", DataTypes.StringType)
            .add("tag", DataTypes.StringType)
            .add("tokens", DataTypes.BinaryType)
            .add("box", DataTypes.BinaryType)
            .add("score", DataTypes.DoubleType)
            .add("_row_id", DataTypes.LongType, false)
            .add("_source", DataTypes.IntegerType, false)
            .add("_source_row", DataTypes.LongType, false)
            .add("_checksum", DataTypes.BinaryType, false);

    public long id() {
        return 1_000_000L - n;
    }

    public boolean correct() {
        return Long.remainderUnsigned(Mix.mix(n), 100) < 47;
    }

    /** Mostly 7, as in real tables; from 1 to 9, and −1 once in two hundred. */
    public int difficulty() {
        if (n % 200 == 123) {
            return -1;
        }
        int[] common = {7, 7, 7, 7, 2, 1, 3, 9, 5, 7};
        return common[(int) Long.remainderUnsigned(Mix.mix(n + 77L), 10)];
    }

    public String part() {
        return n % 10 == 9 ? "valid" : "train";
    }

    public String tag() {
        return n % 7 == 0 ? null : n % 5 == 0 ? "" : "tag " + n + " ✓";
    }

    public List<Integer> tokens() {
        return IntStream.range(0, n % 9).map(i -> n * 10 + i).boxed().toList();
    }

    public List<Float> box() {
        return IntStream.range(0, 6).mapToObj(i -> n + i / 8f).toList();
    }

    public Double score() {
        return n % 11 == 0 ? null : n / 4.0;
    }

    public long rowId() {
        return new KeyEncoding().integer(id()).rowId();
    }

    /** What orders the rows of a stratum, unsigned. */
    long priority(long seed) {
        return Mix.key(seed, 7, rowId());
    }

    Row row(int source, long sourceRow) {
        ByteBuffer tokens = ByteBuffer.allocate(4 * (n % 9)).order(ByteOrder.LITTLE_ENDIAN);
        tokens().forEach(tokens::putInt);
        ByteBuffer box = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        box().forEach(box::putFloat);
        return RowFactory.create(
                id(),
                correct(),
                difficulty(),
                part(),
                tag(),
                tokens.array(),
                box.array(),
                score(),
                rowId(),
                source,
                sourceRow,
                checksums(source, sourceRow, tokens.array(), box.array()));
    }

    /** By docs/format/manifest.md, section 9: one of the numbers, then one of each other column. */
    private byte[] checksums(int source, long row, byte[] tokens, byte[] box) {
        ByteBuffer numbers = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        numbers.put((byte) 1).putLong(id());
        numbers.put((byte) 1).putLong(correct() ? 1 : 0);
        numbers.put((byte) 1).putLong(difficulty());
        if (score() == null) {
            numbers.put((byte) 0);
        } else {
            numbers.put((byte) 1).putLong(Double.doubleToRawLongBits(score()));
        }
        ByteBuffer checksums = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
        checksums.putInt(checksum(source, row, Arrays.copyOf(numbers.array(), numbers.position())));
        checksums.putInt(checksum(source, row, bytes(part().getBytes(StandardCharsets.UTF_8))));
        String tag = tag();
        checksums.putInt(
                checksum(source, row, tag == null ? new byte[1] : bytes(tag.getBytes(StandardCharsets.UTF_8))));
        checksums.putInt(checksum(source, row, bytes(tokens)));
        checksums.putInt(checksum(source, row, bytes(box)));
        return checksums.array();
    }

    private static byte[] bytes(byte[] value) {
        return ByteBuffer.allocate(5 + value.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 1)
                .putInt(value.length)
                .put(value)
                .array();
    }

    private int checksum(int source, long row, byte[] values) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(28)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(row)
                .putLong(rowId())
                .putInt(source)
                .putLong(row)
                .flip());
        crc.update(values);
        return (int) crc.getValue();
    }
}
