package io.rankfeed.spark.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TensorPackerTest {
    private static final DataType INTS = DataTypes.createArrayType(DataTypes.IntegerType);

    @Test
    void integers_arePackedLittleEndianInTheirWidth() throws TensorPacker.Unfit {
        assertThat(packer(INTS, DType.INT32, Shape.of(-1)).pack(ints(1, -2)))
                .containsExactly(1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF);
        assertThat(packer(INTS, DType.UINT8, Shape.of(2)).pack(ints(255, 0))).containsExactly(0xFF, 0);
    }

    @Test
    void values_outOfRangeOrNull_areUnfit() {
        assertThatThrownBy(() -> packer(INTS, DType.UINT8, Shape.of(-1)).pack(ints(256)))
                .hasMessageContaining("out of the range of uint8");
        assertThatThrownBy(() ->
                        packer(INTS, DType.INT32, Shape.of(-1)).pack(new GenericArrayData(new Object[] {1, null})))
                .hasMessageContaining("null inside");
    }

    /** Spark gives lists of a row in its own layout, with a bit for each null. */
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 200})
    void listInSparksLayout_isPackedLikeOthersAndItsNullIsFound(int length) throws TensorPacker.Unfit {
        Random random = new Random(length);
        long[] longs = random.longs(length).toArray();
        double[] doubles = random.doubles(length).toArray();
        byte[] bytes = new byte[length];
        short[] shorts = new short[length];
        int[] integers = new int[length];
        float[] floats = new float[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) longs[i];
            shorts[i] = (short) longs[i];
            integers[i] = (int) longs[i];
            floats[i] = (float) doubles[i];
        }
        requireEqual(DataTypes.ByteType, DType.INT8, UnsafeArrayData.fromPrimitiveArray(bytes), bytes);
        requireEqual(DataTypes.ShortType, DType.INT16, UnsafeArrayData.fromPrimitiveArray(shorts), shorts);
        requireEqual(DataTypes.IntegerType, DType.INT32, UnsafeArrayData.fromPrimitiveArray(integers), integers);
        requireEqual(DataTypes.LongType, DType.INT64, UnsafeArrayData.fromPrimitiveArray(longs), longs);
        requireEqual(DataTypes.FloatType, DType.FLOAT32, UnsafeArrayData.fromPrimitiveArray(floats), floats);
        requireEqual(DataTypes.DoubleType, DType.FLOAT64, UnsafeArrayData.fromPrimitiveArray(doubles), doubles);
        for (int at : new int[] {0, length / 2, length - 1}) {
            UnsafeArrayData list = UnsafeArrayData.fromPrimitiveArray(integers);
            list.setNullAt(at);
            assertThatThrownBy(() -> packer(INTS, DType.INT32, Shape.of(-1)).pack(list))
                    .hasMessageContaining("null inside");
        }
    }

    private static void requireEqual(DataType element, DType dtype, ArrayData list, Object values)
            throws TensorPacker.Unfit {
        int length = Array.getLength(values);
        ByteBuffer expected = ByteBuffer.allocate(length * dtype.sizeBytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < length; i++) {
            Object value = Array.get(values, i);
            switch (dtype) {
                case INT8 -> expected.put((byte) value);
                case INT16 -> expected.putShort((short) value);
                case INT32 -> expected.putInt((int) value);
                case INT64 -> expected.putLong((long) value);
                case FLOAT32 -> expected.putFloat((float) value);
                default -> expected.putDouble((double) value);
            }
        }
        assertThat(packer(DataTypes.createArrayType(element), dtype, Shape.of(-1))
                        .pack(list))
                .isEqualTo(expected.array());
    }

    @ParameterizedTest
    @CsvSource({
        "1e39, FLOAT32",
        "-1e300, FLOAT32",
        "70000, FLOAT16",
        "-65520, FLOAT16",
        "1e300, FLOAT16",
        "3.4e38, BFLOAT16"
    })
    void finiteNumber_neverBecomesInfinite(double value, DType dtype) {
        DataType doubles = DataTypes.createArrayType(DataTypes.DoubleType);
        assertThatThrownBy(
                        () -> packer(doubles, dtype, Shape.of(-1)).pack(new GenericArrayData(new double[] {1, value})))
                .hasMessageContaining("out of the range of " + dtype.id());
        DataType longs = DataTypes.createArrayType(DataTypes.LongType);
        if (Math.abs(value) < 1e18) {
            assertThatThrownBy(() ->
                            packer(longs, dtype, Shape.of(-1)).pack(new GenericArrayData(new long[] {(long) value})))
                    .hasMessageContaining("out of the range of " + dtype.id());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void infinitiesAndNans_areKept(DType dtype) throws TensorPacker.Unfit {
        DataType doubles = DataTypes.createArrayType(DataTypes.DoubleType);
        double[] values = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN};
        assertThat(packer(doubles, dtype, Shape.of(3)).pack(new GenericArrayData(values)))
                .hasSize(3 * dtype.sizeBytes());
    }

    @Test
    void nestedLists_areRowMajorAndTheirShapeIsChecked() throws TensorPacker.Unfit {
        DataType nested = DataTypes.createArrayType(INTS);
        ArrayData matrix = new GenericArrayData(new Object[] {ints(1, 2), ints(3, 4)});
        assertThat(packer(nested, DType.INT8, Shape.of(-1, 2)).pack(matrix)).containsExactly(1, 2, 3, 4);
        ArrayData crooked = new GenericArrayData(new Object[] {ints(1, 2), ints(3)});
        assertThatThrownBy(() -> packer(nested, DType.INT8, Shape.of(-1, 2)).pack(crooked))
                .hasMessageContaining("dimension 1");
        assertThatThrownBy(() -> packer(nested, DType.INT8, Shape.of(-1)).pack(matrix))
                .hasMessageContaining("nest deeper");
    }

    private static TensorPacker packer(DataType type, DType dtype, Shape shape) {
        return new TensorPacker("x", type, dtype, shape);
    }

    private static ArrayData ints(int... values) {
        return new GenericArrayData(values);
    }
}
