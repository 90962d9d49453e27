package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.text.tokenizer.SpecialTokens;
import io.rankfeed.text.tokenizer.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * {@code rf_prompt('name', prompt, answer, 'whole' | 'apart')}: the tokens of a prompt and its answer, and how many at
 * their begin are the prompt's, which training does not learn.
 */
final class PromptFunction {
    private static final String NAME = "rf_prompt";
    private static final String USAGE =
            "rf_prompt('tokenizer', prompt, answer, 'whole' or 'apart'), or with 2048, 'truncate' behind";
    private static final StructType RESULT = new StructType()
            .add("input_ids", DataTypes.createArrayType(DataTypes.IntegerType, false), false)
            .add("prompt_length", DataTypes.IntegerType, false);

    private PromptFunction() {}

    static SqlFunction of(JobTokenizers tokenizers) {
        return new SqlFunction(NAME, USAGE, count -> count >= 4 && count <= 6, arguments -> {
            TokenizerFile file = tokenizers.find(NAME, arguments.get(0));
            Prompts prompts = prompts(file, arguments);
            return RowFunction.of(NAME, RESULT, arguments, prompts, prompts);
        });
    }

    private static Prompts prompts(TokenizerFile file, List<Argument> arguments) {
        Argument prompt = arguments.get(1);
        boolean parts = prompt.type() instanceof ArrayType list && list.elementType() instanceof StringType;
        if (!parts && !prompt.isText()) {
            throw prompt.refused(NAME, "the prompt", "a STRING, or an ARRAY of them to be tokenized apart");
        }
        Argument answer = arguments.get(2);
        if (!answer.isText()) {
            throw answer.refused(NAME, "the answer", "a STRING");
        }
        Argument how = arguments.get(3);
        boolean whole =
                switch (how.text(NAME, "the fourth argument")) {
                    case "whole" -> true;
                    case "apart" -> false;
                    default -> throw how.refused(NAME, "the fourth argument", "'whole' or 'apart'");
                };
        if (parts && whole) {
            throw how.refused(NAME, "the fourth argument", "'apart' where the prompt is a list of parts");
        }
        TokenLimit limit = TokenLimit.of(NAME, arguments, 4);
        return new Prompts(file, whole ? Form.WHOLE : parts ? Form.PARTS : Form.APART, limit);
    }

    private enum Form {
        /** Prompt and answer are one text. */
        WHOLE,
        /** The answer's tokens follow the prompt's. */
        APART,
        /** The tokens of each part of the prompt follow each other too. */
        PARTS
    }

    private record Prompts(TokenizerFile file, Form form, TokenLimit limit) implements RowFunction.Value<InternalRow> {
        @Override
        public @Nullable InternalRow of(InternalRow row) {
            if (row.isNullAt(1) || row.isNullAt(2)) {
                return null;
            }
            Tokenizer tokenizer = file.tokenizer();
            String answer = row.getUTF8String(2).toString();
            int behind = tokenizer.addedBehind(file.special());
            return switch (form) {
                case WHOLE -> {
                    String prompt = row.getUTF8String(1).toString();
                    int promptTokens = tokenizer.encode(prompt, file.special()).length - behind;
                    yield result(tokenizer.encode(prompt + answer, file.special()), promptTokens, behind);
                }
                case APART -> joined(tokenizer, List.of(row.getUTF8String(1).toString()), answer, behind);
                case PARTS -> joined(tokenizer, parts(row.getArray(1)), answer, behind);
            };
        }

        private static List<String> parts(ArrayData list) {
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < list.numElements(); i++) {
                parts.add(list.isNullAt(i) ? "" : list.getUTF8String(i).toString());
            }
            return parts;
        }

        /**
         * Joins the tokens of the parts. The tokens that the post-processor adds are before the first part and after
         * the answer.
         */
        private InternalRow joined(Tokenizer tokenizer, List<String> parts, String answer, int behind) {
            int[] first = tokenizer.encode(parts.isEmpty() ? "" : parts.get(0), file.special());
            int[] ids = Arrays.copyOf(first, first.length - behind);
            for (String part : parts.subList(Math.min(1, parts.size()), parts.size())) {
                ids = append(ids, tokenizer.encode(part, SpecialTokens.LEFT_OUT));
            }
            int promptTokens = ids.length;
            ids = append(ids, tokenizer.encode(answer, SpecialTokens.LEFT_OUT));
            ids = append(ids, Arrays.copyOfRange(first, first.length - behind, first.length));
            return result(ids, promptTokens, behind);
        }

        private InternalRow result(int[] ids, int promptTokens, int behind) {
            int[] kept = limit.kept(ids, behind);
            return new GenericInternalRow(
                    new Object[] {UnsafeArrayData.fromPrimitiveArray(kept), Math.min(promptTokens, kept.length)});
        }

        private static int[] append(int[] first, int[] second) {
            int[] both = Arrays.copyOf(first, first.length + second.length);
            System.arraycopy(second, 0, both, first.length, second.length);
            return both;
        }
    }
}
