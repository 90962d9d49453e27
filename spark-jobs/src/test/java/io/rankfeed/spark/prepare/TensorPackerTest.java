package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.spark.job.TensorSection;
import java.util.Optional;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class TensorPackerTest {
    private static final DataType INTS = DataTypes.createArrayType(DataTypes.IntegerType);

    @Test
    void integersArePackedLittleEndianInTheWantedWidth() throws TensorPacker.Unfit {
        assertThat(packer(INTS, DType.INT32, Shape.of(-1)).pack(ints(1, -2)))
                .containsExactly(1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF);
        assertThat(packer(INTS, DType.UINT8, Shape.of(2)).pack(ints(255, 0))).containsExactly(0xFF, 0);
    }

    @Test
    void valuesOutOfRangeAndNullsAreUnfit() {
        assertThatThrownBy(() -> packer(INTS, DType.UINT8, Shape.of(-1)).pack(ints(256)))
                .hasMessageContaining("out of the range of uint8");
        assertThatThrownBy(() ->
                        packer(INTS, DType.INT32, Shape.of(-1)).pack(new GenericArrayData(new Object[] {1, null})))
                .hasMessageContaining("null inside");
    }

    @Test
    void nestedListsAreRowMajorAndTheirShapeIsChecked() throws TensorPacker.Unfit {
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
        return new TensorPacker(PreparedColumn.of(
                DataTypes.createStructField("x", type, true),
                new TensorSection(Optional.of(dtype), Optional.of(shape))));
    }

    private static ArrayData ints(int... values) {
        return new GenericArrayData(values);
    }
}
