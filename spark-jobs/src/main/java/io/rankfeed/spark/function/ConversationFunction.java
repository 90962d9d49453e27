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
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The functions for conversations about images: messages for a chat template, and the paths of the images. */
final class ConversationFunction {
    private ConversationFunction() {}

    private static void refuseUnlessText(String function, List<Argument> arguments) {
        for (Argument argument : arguments.subList(0, 2)) {
            if (!argument.isText() && !argument.isNull()) {
                throw argument.refused(function, "an argument", "a STRING; of a list of structs write to_json(…)");
            }
        }
    }

    private static Conversation conversation(InternalRow row) throws ChatException {
        return new Conversation(
                row.getUTF8String(0).toString(),
                row.isNullAt(1) ? null : row.getUTF8String(1).toString());
    }

    /** {@code rf_messages(turns, image, placeholder)}: the conversation as messages of texts. */
    static final class Messages implements SqlFunction {
        @Override
        public String name() {
            return "rf_messages";
        }

        @Override
        public String usage() {
            return "rf_messages(conversations, image, '<image>'), the first a STRING of JSON";
        }

        @Override
        public ScalarFunction<?> bind(List<Argument> arguments) {
            refuseUnless(arguments, 3, 3);
            refuseUnlessText(name(), arguments);
            String placeholder = arguments.get(2).text(name(), "the placeholder");
            if (placeholder.isBlank()) {
                throw arguments.get(2).refused(name(), "the placeholder", "the text of an image, as '<image>'");
            }
            return new BoundMessages(name(), placeholder, arguments);
        }
    }

    private static final class BoundMessages extends RowFunction<UTF8String> {
        private static final long serialVersionUID = 1L;

        private final String placeholder;

        BoundMessages(String name, String placeholder, List<Argument> arguments) {
            super(name, DataTypes.StringType, arguments);
            this.placeholder = placeholder;
        }

        @Override
        Object settings() {
            return placeholder;
        }

        @Override
        public @Nullable UTF8String produceResult(InternalRow row) {
            if (row.isNullAt(0)) {
                return null;
            }
            try {
                return UTF8String.fromString(conversation(row).messages(placeholder));
            } catch (ChatException e) {
                throw new UnfitValueException(Reason.UNFIT_CHAT, name() + ": " + e.getMessage());
            }
        }
    }

    /** {@code rf_image_paths(turns, image)}: none of what is not a conversation, so that joins do not fail; the messages do. */
    static final class ImagePaths implements SqlFunction {
        @Override
        public String name() {
            return "rf_image_paths";
        }

        @Override
        public String usage() {
            return "rf_image_paths(conversations, image), the first a STRING of JSON";
        }

        @Override
        public ScalarFunction<?> bind(List<Argument> arguments) {
            refuseUnless(arguments, 2, 2);
            refuseUnlessText(name(), arguments);
            return new BoundPaths(name(), arguments);
        }
    }

    private static final class BoundPaths extends RowFunction<GenericArrayData> {
        private static final long serialVersionUID = 1L;

        BoundPaths(String name, List<Argument> arguments) {
            super(name, DataTypes.createArrayType(DataTypes.StringType, false), arguments);
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
        public GenericArrayData produceResult(InternalRow row) {
            try {
                List<String> paths =
                        row.isNullAt(0) ? List.of() : conversation(row).imagePaths();
                return new GenericArrayData(
                        paths.stream().map(UTF8String::fromString).toArray());
            } catch (ChatException e) {
                return new GenericArrayData(new Object[0]);
            }
        }
    }
}
