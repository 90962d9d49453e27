package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.SqlFunction;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** {@code rf_alpaca(instruction, input)}: the prompt of Stanford's Alpaca, which has a part less where input is blank. */
final class AlpacaFunction {
    private static final String NAME = "rf_alpaca";
    private static final String WITH_INPUT = "Below is an instruction that describes a task, paired with an input"
            + " that provides further context. Write a response that appropriately completes the request.\n\n";
    private static final String WITHOUT_INPUT = "Below is an instruction that describes a task. Write a response"
            + " that appropriately completes the request.\n\n";

    private AlpacaFunction() {}

    static SqlFunction of() {
        return new SqlFunction(NAME, "rf_alpaca(instruction, input)", count -> count == 2, arguments -> {
            arguments.forEach(argument -> argument.refuseUnlessText(NAME, "an argument", "a STRING"));
            return RowFunction.of(NAME, DataTypes.StringType, arguments, "", AlpacaFunction::prompt);
        });
    }

    private static @Nullable UTF8String prompt(InternalRow row) {
        if (row.isNullAt(0)) {
            return null;
        }
        String instruction = row.getUTF8String(0).toString();
        String input = row.isNullAt(1) ? "" : row.getUTF8String(1).toString();
        String prompt = input.isBlank()
                ? WITHOUT_INPUT + "### Instruction:\n" + instruction + "\n\n### Response:\n"
                : WITH_INPUT + "### Instruction:\n" + instruction + "\n\n### Input:\n" + input + "\n\n### Response:\n";
        return UTF8String.fromBytes(prompt.getBytes(StandardCharsets.UTF_8));
    }
}
