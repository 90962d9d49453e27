package io.rankfeed.spark.function;

import io.rankfeed.spark.chat.ChatTemplate;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * A tokenizer.json that goes with the tasks. Equal files are one tokenizer in a JVM.
 *
 * @param sha256 of the content
 * @param special what the job says of special tokens
 * @param chat the model's chat template; null where the job names none
 */
record TokenizerFile(
        String sha256,
        SpecialTokens special,
        Broadcast<byte[]> content,
        @Nullable ChatFile chat) implements Serializable {
    private static final Map<String, Tokenizer> AT_WORK = new ConcurrentHashMap<>();

    Tokenizer tokenizer() {
        return AT_WORK.computeIfAbsent(
                sha256, digest -> Tokenizer.of(new String(content.value(), StandardCharsets.UTF_8)));
    }

    boolean hasTemplate() {
        return chat != null;
    }

    ChatTemplate template() {
        return Objects.requireNonNull(chat).template();
    }

    /** Equal files give equal tokens, whichever broadcast brings them. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TokenizerFile file
                && sha256.equals(file.sha256)
                && special == file.special
                && Objects.equals(chat, file.chat);
    }

    @Override
    public int hashCode() {
        return sha256.hashCode();
    }
}
