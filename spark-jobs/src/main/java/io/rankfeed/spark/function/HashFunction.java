package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataTypes;

/** {@code rf_hash(value, …)}: the 64 bits that would be the row id of a row with this key. */
final class HashFunction implements SqlFunction {
    @Override
    public String name() {
        return "rf_hash";
    }

    @Override
    public String usage() {
        return "rf_hash(value, …)";
    }

    @Override
    public ScalarFunction<?> bind(List<Argument> arguments) {
        refuseUnless(arguments, 1, 255);
        return new Bound(name(), EncodedValues.of(name(), arguments, 0), arguments);
    }

    private static final class Bound extends RowFunction<Long> {
        private static final long serialVersionUID = 1L;

        private final EncodedValues values;

        Bound(String name, EncodedValues values, List<Argument> arguments) {
            super(name, DataTypes.LongType, arguments);
            this.values = values;
        }

        @Override
        public boolean isResultNullable() {
            return false;
        }

        @Override
        Object settings() {
            return "";
        }

        @Override
        public Long produceResult(InternalRow row) {
            return values.of(row).rowId();
        }
    }
}
