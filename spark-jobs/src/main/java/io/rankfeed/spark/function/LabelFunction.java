package io.rankfeed.spark.function;

import io.rankfeed.schema.failure.Printable;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** {@code rf_label('name', text)}: the text's number in one of the job's lists of labels. */
final class LabelFunction {
    private static final String NAME = "rf_label";

    private LabelFunction() {}

    static SqlFunction of(JobLabels labels) {
        return new SqlFunction(NAME, "rf_label('labels', text)", count -> count == 2, arguments -> {
            arguments.get(1).refuseUnlessText(NAME, "the label", "a STRING: cast it");
            String name = arguments.get(0).text(NAME, "the name of the labels");
            LabelNumbers numbers = labels.numbers(name);
            return RowFunction.of(
                    NAME,
                    DataTypes.IntegerType,
                    arguments,
                    List.of(name, numbers.sha256()),
                    row -> number(name, numbers, row));
        });
    }

    private static @Nullable Integer number(String labels, LabelNumbers numbers, InternalRow row) {
        if (row.isNullAt(1)) {
            return null;
        }
        UTF8String text = row.getUTF8String(1);
        Integer number = numbers.of(text);
        if (number == null) {
            throw new UnfitValueException(
                    Reason.UNKNOWN_LABEL, "'" + Printable.of(text.toString()) + "' is not a label " + labels);
        }
        return number;
    }
}
