package io.rankfeed.text.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.json.JsonFault;
import io.rankfeed.schema.json.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A conversation as data sets for vision-language models have it: the author of a turn is {@code role} or {@code from}, what is said is
 * {@code content} or {@code value}, and images are named by a key next to the turns or by parts of a turn's content.
 */
public final class Conversation {
    private static final Map<String, String> ROLES = Map.of("human", "user", "gpt", "assistant");

    private final List<ObjectNode> turns = new ArrayList<>();
    private final Optional<String> image;
    private final List<String> imagePaths = new ArrayList<>();

    /**
     * @param turns a list of objects in JSON
     * @param image path of the conversation's image; null or blank for none
     * @throws ChatException if it is not a conversation
     */
    public Conversation(String turns, @Nullable String image) throws ChatException {
        this.image = Optional.ofNullable(image).filter(path -> !path.isBlank());
        if (this.image.isPresent()) {
            imagePaths.add(ImagePath.inFolder(this.image.get(), "the conversation"));
        }
        for (JsonNode turn : list(turns)) {
            String where = "turn " + (this.turns.size() + 1);
            if (!(turn instanceof ObjectNode object)) {
                throw new ChatException(where + " is not an object");
            }
            this.turns.add(object);
            JsonNode content = content(object, where);
            if (content instanceof ArrayNode parts) {
                for (JsonNode part : parts) {
                    if (part.path("type").asText().equals("image")) {
                        imagePaths.add(ImagePath.inFolder(text(part, "image", where), where));
                    }
                }
            }
        }
    }

    private static JsonNode list(String turns) throws ChatException {
        try {
            JsonNode list = JsonTree.of(turns);
            if (!list.isArray()) {
                throw new ChatException("the turns are not a list");
            }
            return list;
        } catch (JsonProcessingException e) {
            throw new ChatException(
                    e instanceof JsonTree.RefusedException
                            ? "the text of the turns " + e.getOriginalMessage()
                            : "the turns are not JSON: " + JsonFault.of(e));
        }
    }

    /** The paths of its images in their order, as a folder lists them; that of the key next to the turns is the first. */
    public List<String> imagePaths() {
        return List.copyOf(imagePaths);
    }

    /**
     * The conversation as templates have it: a list of objects with {@code role} and {@code content} in JSON, each content one text.
     * Other keys of a turn remain, and numbers in them are written as they were.
     *
     * @param placeholder text of an image. It replaces image parts, and precedes the first turn of the user where no turn
     *     refers to the image of the key. In a text part, in other keys of a turn, and after a backslash elsewhere, it is plain text,
     *     which no tokenizer reads as an image
     * @throws ChatException if a turn has no role or a part that is neither text nor an image, if there are more or fewer
     *     placeholders than images, or if the placeholder of the key's image is not the first
     */
    public String messages(String placeholder) throws ChatException {
        Placeholder images = new Placeholder(placeholder);
        ArrayNode messages = JsonNodeFactory.instance.arrayNode();
        int firstOfUser = -1;
        int beforeUser = 0;
        for (ObjectNode turn : turns) {
            String where = "turn " + (messages.size() + 1);
            String author = text(turn, oneOf(turn, "role", "from", where), where);
            String role = ROLES.getOrDefault(author, author);
            if (firstOfUser < 0 && role.equals("user")) {
                firstOfUser = messages.size();
                beforeUser = images.ofParts();
            }
            ObjectNode message = turn.deepCopy().remove(List.of("role", "from", "content", "value"));
            message = (ObjectNode) images.literal(message);
            messages.add(message.put("role", images.literal(role)));
            JsonNode content = content(turn, where);
            if (!content.isMissingNode() && !content.isNull()) {
                message.put("content", contentText(content, images, where));
            }
        }
        boolean added = image.isPresent() && images.count() == imagePaths.size() - 1 && firstOfUser >= 0;
        if (added) {
            if (images.inTextPart()) {
                throw new ChatException("a text part has '" + images.text() + "', and no part is the image '"
                        + imagePaths.get(0) + "' of the key; write a part of type image for it");
            }
            ObjectNode first = (ObjectNode) messages.get(firstOfUser);
            first.put("content", placeholder + first.path("content").asText());
        }
        int placeholders = images.count() + (added ? 1 : 0);
        if (placeholders != imagePaths.size()) {
            throw new ChatException("the conversation has " + placeholders + " times '" + images.text() + "' for "
                    + imagePaths.size() + " images; write \\" + images.text() + " where a text mentions it");
        }
        if (added ? beforeUser > 0 : images.isTextAfterPart()) {
            throw new ChatException("the image '" + imagePaths.get(0) + "' of the key comes after the image of a part,"
                    + " but the image of the key is the first; write a part of type image for it");
        }
        return messages.toString();
    }

    private static JsonNode content(ObjectNode turn, String where) throws ChatException {
        return turn.path(oneOf(turn, "content", "value", where));
    }

    /** The key that has a value; the second one if neither has. */
    private static String oneOf(ObjectNode turn, String key, String other, String where) throws ChatException {
        if (turn.hasNonNull(key) && turn.hasNonNull(other)) {
            throw new ChatException(where + " has both '" + key + "' and '" + other + "'; keep one of them");
        }
        return turn.has(key) && !turn.hasNonNull(other) ? key : other;
    }

    private static String contentText(JsonNode content, Placeholder images, String where) throws ChatException {
        if (content.isTextual()) {
            return images.unescaped(content.textValue());
        } else if (!content.isArray()) {
            throw new ChatException(where + " has content that is neither a text nor a list of parts");
        }
        StringBuilder joined = new StringBuilder();
        // Adjacent text parts are joined: together they may contain the placeholder.
        StringBuilder texts = new StringBuilder();
        for (JsonNode part : content) {
            String type = text(part, "type", where);
            switch (type) {
                case "text" -> texts.append(text(part, "text", where));
                case "image" -> {
                    joined.append(images.textPart(texts.toString())).append(images.ofPart());
                    texts.setLength(0);
                }
                default -> throw new ChatException(where + " has a part of type '" + type + "'; must be text or image");
            }
        }
        joined.append(images.textPart(texts.toString()));
        return joined.toString();
    }

    private static String text(JsonNode object, String key, String where) throws ChatException {
        JsonNode value = object.path(key);
        if (!value.isTextual()) {
            throw new ChatException(where + " has no text '" + key + "'");
        }
        return value.textValue();
    }
}
