package io.rankfeed.spark.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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
