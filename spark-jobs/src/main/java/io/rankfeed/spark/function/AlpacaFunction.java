package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** {@code rf_alpaca(instruction, input)}: the prompt of Stanford's Alpaca, which has a part less where input is blank. */
final class AlpacaFunction implements SqlFunction {
    @Override
    public String name() {
        return "rf_alpaca";
    }

    @Override
    public String usage() {
        return "rf_alpaca(instruction, input)";
    }

    @Override
    public ScalarFunction<?> bind(List<Argument> arguments) {
        refuseUnless(arguments, 2, 2);
        for (Argument argument : arguments) {
            if (!argument.isText() && !argument.isNull()) {
                throw argument.refused(name(), "an argument", "a STRING");
            }
        }
        return new Bound(name(), arguments);
    }

    private static final class Bound extends RowFunction<UTF8String> {
        private static final long serialVersionUID = 1L;
        private static final String WITH_INPUT = "Below is an instruction that describes a task, paired with an input"
                + " that provides further context. Write a response that appropriately completes the request.\n\n";
        private static final String WITHOUT_INPUT = "Below is an instruction that describes a task. Write a response"
                + " that appropriately completes the request.\n\n";

        Bound(String name, List<Argument> arguments) {
            super(name, DataTypes.StringType, arguments);
        }

        @Override
        Object settings() {
            return "";
        }

        @Override
        public @Nullable UTF8String produceResult(InternalRow row) {
            if (row.isNullAt(0)) {
                return null;
            }
            String instruction = row.getUTF8String(0).toString();
            String input = row.isNullAt(1) ? "" : row.getUTF8String(1).toString();
            String prompt = input.isBlank()
                    ? WITHOUT_INPUT + "### Instruction:\n" + instruction + "\n\n### Response:\n"
                    : WITH_INPUT + "### Instruction:\n" + instruction + "\n\n### Input:\n" + input
                            + "\n\n### Response:\n";
            return UTF8String.fromBytes(prompt.getBytes(StandardCharsets.UTF_8));
        }
    }
}
