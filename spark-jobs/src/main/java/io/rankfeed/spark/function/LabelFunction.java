package io.rankfeed.spark.function;

import io.rankfeed.schema.failure.Printable;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** {@code rf_label('name', text)}: the text's number in one of the job's lists of labels. */
final class LabelFunction implements SqlFunction {
    private final JobLabels labels;

    LabelFunction(JobLabels labels) {
        this.labels = labels;
    }

    @Override
    public String name() {
        return "rf_label";
    }

    @Override
    public String usage() {
        return "rf_label('labels', text)";
    }

    @Override
    public ScalarFunction<?> bind(List<Argument> arguments) {
        refuseUnless(arguments, 2, 2);
        Argument text = arguments.get(1);
        if (!text.isText() && !text.isNull()) {
            throw text.refused(name(), "the label", "a STRING: cast it");
        }
        String name = arguments.get(0).text(name(), "the name of the labels");
        return new Bound(name(), name, labels.numbers(name), arguments);
    }

    private static final class Bound extends RowFunction<Integer> {
        private static final long serialVersionUID = 1L;

        private final String labels;
        private final LabelNumbers numbers;

        Bound(String name, String labels, LabelNumbers numbers, List<Argument> arguments) {
            super(name, DataTypes.IntegerType, arguments);
            this.labels = labels;
            this.numbers = numbers;
        }

        @Override
        Object settings() {
            return List.of(labels, numbers.sha256());
        }

        @Override
        public @Nullable Integer produceResult(InternalRow row) {
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
}
