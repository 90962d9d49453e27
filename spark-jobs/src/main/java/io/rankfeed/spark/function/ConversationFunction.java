package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.text.chat.ChatException;
import io.rankfeed.text.chat.Conversation;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The functions for conversations about images: messages for a chat template, and the paths of the images. */
final class ConversationFunction {
    private static final String MESSAGES = "rf_messages";
    private static final String PATHS = "rf_image_paths";

    private ConversationFunction() {}

    /** {@code rf_messages(turns, image, placeholder)}: the conversation as messages of texts. */
    static SqlFunction messages() {
        String usage = "rf_messages(conversations, image, '<image>'), the first a STRING of JSON";
        return new SqlFunction(MESSAGES, usage, count -> count == 3, arguments -> {
            refuseUnlessText(MESSAGES, arguments);
            String placeholder = arguments.get(2).text(MESSAGES, "the placeholder");
            if (placeholder.isBlank()) {
                throw arguments.get(2).refused(MESSAGES, "the placeholder", "the text of an image, as '<image>'");
            }
            return RowFunction.of(
                    MESSAGES, DataTypes.StringType, arguments, placeholder, row -> messages(row, placeholder));
        });
    }

    /** {@code rf_image_paths(turns, image)}: none of what is not a conversation, so that joins do not fail; the messages do. */
    static SqlFunction imagePaths() {
        String usage = "rf_image_paths(conversations, image), the first a STRING of JSON";
        return new SqlFunction(PATHS, usage, count -> count == 2, arguments -> {
            refuseUnlessText(PATHS, arguments);
            return RowFunction.notNull(
                    PATHS,
                    DataTypes.createArrayType(DataTypes.StringType, false),
                    arguments,
                    "",
                    ConversationFunction::paths);
        });
    }

    private static void refuseUnlessText(String function, List<Argument> arguments) {
        for (Argument argument : arguments.subList(0, 2)) {
            argument.refuseUnlessText(function, "an argument", "a STRING; of a list of structs write to_json(…)");
        }
    }

    private static Conversation conversation(InternalRow row) throws ChatException {
        return new Conversation(
                row.getUTF8String(0).toString(),
                row.isNullAt(1) ? null : row.getUTF8String(1).toString());
    }

    private static @Nullable UTF8String messages(InternalRow row, String placeholder) {
        if (row.isNullAt(0)) {
            return null;
        }
        try {
            return UTF8String.fromString(conversation(row).messages(placeholder));
        } catch (ChatException e) {
            throw new UnfitValueException(Reason.UNFIT_CHAT, MESSAGES + ": " + e.getMessage());
        }
    }

    private static GenericArrayData paths(InternalRow row) {
        try {
            List<String> paths = row.isNullAt(0) ? List.of() : conversation(row).imagePaths();
            return new GenericArrayData(
                    paths.stream().map(UTF8String::fromString).toArray());
        } catch (ChatException e) {
            return new GenericArrayData(new Object[0]);
        }
    }
}
