package io.rankfeed.spark.function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.JsonFault;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.text.chat.ChatException;
import io.rankfeed.text.chat.Rendered;
import io.rankfeed.text.tokenizer.Tokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * {@code rf_chat('name', messages)}: the tokens of a conversation by the tokenizer's chat template, and the spans of them that the
 * assistant says.
 */
final class ChatFunction {
    private static final String NAME = "rf_chat";
    private static final String USAGE = "rf_chat('tokenizer', messages), rf_chat('tokenizer', messages, tools) or"
            + " rf_chat('tokenizer', messages, tools, arguments of the template), each a STRING of JSON";
    private static final String TOOLS = "tools";
    private static final DataType INTEGERS = DataTypes.createArrayType(DataTypes.IntegerType, false);
    private static final StructType RESULT =
            new StructType().add("input_ids", INTEGERS, false).add("assistant_spans", INTEGERS, false);
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ChatFunction() {}

    static SqlFunction of(JobTokenizers tokenizers) {
        return new SqlFunction(NAME, USAGE, count -> count >= 2 && count <= 4, arguments -> {
            TokenizerFile file = tokenizers.find(NAME, arguments.get(0));
            if (!file.hasTemplate()) {
                throw new ConfigException(
                        "rf_chat: tokenizer " + arguments.get(0).sql()
                                + " has no chat template; name the model's tokenizer_config.json in prepare.tokenizers.*.chat");
            }
            for (Argument json : arguments.subList(1, arguments.size())) {
                json.refuseUnlessText(NAME, "an argument", "a STRING of JSON; of a list of structs write to_json(…)");
            }
            Chats chats = new Chats(file, arguments.size());
            return RowFunction.of(NAME, RESULT, arguments, chats, chats);
        });
    }

    /** @param count of the arguments */
    private record Chats(TokenizerFile file, int count) implements RowFunction.Value<InternalRow> {
        @Override
        public @Nullable InternalRow of(InternalRow row) {
            if (row.isNullAt(1)) {
                return null;
            }
            try {
                List<Map<String, Object>> messages =
                        parsed(row, 1, new TypeReference<List<Map<String, Object>>>() {}, "not a list of messages");
                if (messages.contains(null)) {
                    throw new ChatException("a message is null");
                }
                Map<String, @Nullable Object> variables = variables(row);
                return result(file.template(variables.get(TOOLS) != null).render(messages, variables));
            } catch (ChatException e) {
                throw new UnfitValueException(Reason.UNFIT_CHAT, "rf_chat: " + e.getMessage());
            }
        }

        private Map<String, @Nullable Object> variables(InternalRow row) throws ChatException {
            Map<String, @Nullable Object> variables = new HashMap<>();
            if (count > 3 && !row.isNullAt(3)) {
                variables.putAll(
                        parsed(row, 3, new TypeReference<Map<String, Object>>() {}, "the arguments are not an object"));
            }
            for (String own : List.of(TOOLS, "messages")) {
                if (variables.containsKey(own)) {
                    throw new ChatException(
                            "'" + own + "' is an argument of rf_chat; remove it from those of the template");
                }
            }
            if (count > 2 && !row.isNullAt(2)) {
                variables.put(TOOLS, parsed(row, 2, new TypeReference<List<Object>>() {}, "the tools are not a list"));
            }
            return variables;
        }

        private static <T> T parsed(InternalRow row, int argument, TypeReference<T> type, String what)
                throws ChatException {
            try {
                T value = JSON.readValue(row.getUTF8String(argument).toString(), type);
                if (value == null) {
                    throw new ChatException(what + " in JSON: null");
                }
                return value;
            } catch (JsonProcessingException e) {
                throw new ChatException(what + " in JSON: " + JsonFault.of(e));
            }
        }

        /** A span begins with the token of its first character and ends with that of its last one. */
        private InternalRow result(Rendered rendered) {
            String text = rendered.text();
            Tokens tokens = file.tokenizer().encode(text);
            List<Integer> bounds = new ArrayList<>();
            for (Rendered.Span span : rendered.spans()) {
                OptionalInt first = tokens.at(text.codePointCount(0, span.begin()));
                OptionalInt last = tokens.at(text.codePointCount(0, span.end()) - 1);
                if (first.isPresent() && last.isPresent()) {
                    bounds.add(first.getAsInt());
                    bounds.add(last.getAsInt() + 1);
                }
            }
            int[] spans = bounds.stream().mapToInt(Integer::intValue).toArray();
            return new GenericInternalRow(new Object[] {
                UnsafeArrayData.fromPrimitiveArray(tokens.ids()), UnsafeArrayData.fromPrimitiveArray(spans)
            });
        }
    }
}
