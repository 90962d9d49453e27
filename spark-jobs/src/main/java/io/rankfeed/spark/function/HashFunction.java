package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.SqlFunction;
import org.apache.spark.sql.types.DataTypes;

/** {@code rf_hash(value, …)}: the 64 bits that would be the row id of a row with this key. */
final class HashFunction {
    private static final String NAME = "rf_hash";

    private HashFunction() {}

    static SqlFunction of() {
        return new SqlFunction(NAME, "rf_hash(value, …)", count -> count >= 1 && count <= 255, arguments -> {
            EncodedValues values = EncodedValues.of(NAME, arguments, 0);
            return RowFunction.notNull(NAME, DataTypes.LongType, arguments, "", row -> values.of(row)
                    .rowId());
        });
    }
}
