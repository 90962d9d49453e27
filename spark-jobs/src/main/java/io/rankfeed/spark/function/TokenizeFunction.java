package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.text.tokenizer.Tokenizer;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** {@code rf_tokenize('name', text)}: the ids of its tokens. */
final class TokenizeFunction {
    private static final String NAME = "rf_tokenize";
    private static final String USAGE =
            "rf_tokenize('tokenizer', text), or rf_tokenize('tokenizer', text, 512, 'truncate')";

    private TokenizeFunction() {}

    static SqlFunction of(JobTokenizers tokenizers) {
        return new SqlFunction(NAME, USAGE, count -> count >= 2 && count <= 4, arguments -> {
            TokenizerFile file = tokenizers.find(NAME, arguments.get(0));
            arguments.get(1).refuseUnlessText(NAME, "the text", "a STRING");
            TokenLimit limit = TokenLimit.of(NAME, arguments, 2);
            return RowFunction.of(
                    NAME,
                    DataTypes.createArrayType(DataTypes.IntegerType, false),
                    arguments,
                    List.of(file, limit),
                    row -> tokens(file, limit, row));
        });
    }

    private static @Nullable ArrayData tokens(TokenizerFile file, TokenLimit limit, InternalRow row) {
        if (row.isNullAt(1)) {
            return null;
        }
        Tokenizer tokenizer = file.tokenizer();
        int[] ids = tokenizer.encode(row.getUTF8String(1).toString(), file.special());
        return UnsafeArrayData.fromPrimitiveArray(limit.kept(ids, tokenizer.addedBehind(file.special())));
    }
}
