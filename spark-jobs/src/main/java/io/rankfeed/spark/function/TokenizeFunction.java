package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.text.tokenizer.Tokenizer;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** {@code rf_tokenize('name', text)}: the ids of its tokens. */
final class TokenizeFunction implements SqlFunction {
    private final JobTokenizers tokenizers;

    TokenizeFunction(JobTokenizers tokenizers) {
        this.tokenizers = tokenizers;
    }

    @Override
    public String name() {
        return "rf_tokenize";
    }

    @Override
    public String usage() {
        return "rf_tokenize('tokenizer', text), or rf_tokenize('tokenizer', text, 512, 'truncate')";
    }

    @Override
    public ScalarFunction<?> bind(List<Argument> arguments) {
        refuseUnless(arguments, 2, 4);
        TokenizerFile file = tokenizers.find(name(), arguments.get(0));
        Argument text = arguments.get(1);
        if (!text.isText() && !text.isNull()) {
            throw text.refused(name(), "the text", "a STRING");
        }
        return new Bound(name(), file, TokenLimit.of(this, arguments, 2), arguments);
    }

    private static final class Bound extends RowFunction<ArrayData> {
        private static final long serialVersionUID = 1L;

        private final TokenizerFile file;
        private final TokenLimit limit;

        Bound(String name, TokenizerFile file, TokenLimit limit, List<Argument> arguments) {
            super(name, DataTypes.createArrayType(DataTypes.IntegerType, false), arguments);
            this.file = file;
            this.limit = limit;
        }

        @Override
        Object settings() {
            return List.of(file, limit);
        }

        @Override
        public @Nullable ArrayData produceResult(InternalRow row) {
            if (row.isNullAt(1)) {
                return null;
            }
            Tokenizer tokenizer = file.tokenizer();
            int[] ids = tokenizer.encode(row.getUTF8String(1).toString(), file.special());
            return UnsafeArrayData.fromPrimitiveArray(limit.kept(ids, tokenizer.addedBehind(file.special())));
        }
    }
}
