package io.rankfeed.spark.source.parquet;

import static org.apache.spark.sql.functions.transform;
import static org.apache.spark.sql.functions.udf;

import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.parquet.ParquetTypes;
import io.rankfeed.spark.engine.parquet.PlainTypes;
import io.rankfeed.spark.source.open.SourceFooter;
import io.rankfeed.spark.tensor.ExactHalves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/** FLOAT16, which Spark reads as bytes, as FLOAT: each of its values is one. */
final class HalfColumns {
    private HalfColumns() {}

    /** @param footers those whose columns differ */
    static Dataset<Row> asFloats(Dataset<Row> rows, List<SourceFooter> footers) {
        Map<String, Integer> depths = new HashMap<>();
        for (StructField column : rows.schema().fields()) {
            depth(column, footers).ifPresent(depth -> depths.put(column.name(), depth));
        }
        if (depths.isEmpty()) {
            return rows;
        }
        UserDefinedFunction number = udf(new Number16(), DataTypes.FloatType);
        List<Column> columns = new ArrayList<>();
        for (String name : rows.columns()) {
            Integer depth = depths.get(name);
            Column column = Columns.named(name);
            columns.add(
                    depth == null ? column : converted(column, depth, number).as(name));
        }
        return rows.select(columns.toArray(Column[]::new));
    }

    /**
     * Returns the depth of the column in the first file whose column has the type that Spark reads; the columns of
     * other files can be left out.
     */
    private static OptionalInt depth(StructField column, List<SourceFooter> footers) {
        List<Type> fields = footers.stream()
                .map(SourceFooter::schema)
                .filter(schema -> schema.containsField(column.name()))
                .map(schema -> schema.getType(column.name()))
                .toList();
        if (fields.stream().allMatch(field -> PlainTypes.depthOfHalves(field).isEmpty())) {
            return OptionalInt.empty();
        }
        return fields.stream()
                .filter(field -> ParquetTypes.isReadAs(field, column.dataType()))
                .findFirst()
                .map(PlainTypes::depthOfHalves)
                .orElse(OptionalInt.empty());
    }

    private static Column converted(Column column, int depth, UserDefinedFunction number) {
        return depth == 0 ? number.apply(column) : transform(column, element -> converted(element, depth - 1, number));
    }

    /** The number of two bytes, little-endian. */
    private static final class Number16 implements UDF1<byte[], Float> {
        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable Float call(byte @Nullable [] bytes) {
            return bytes == null ? null : ExactHalves.number((short) ((bytes[1] << 8) | (bytes[0] & 0xFF)));
        }
    }
}
