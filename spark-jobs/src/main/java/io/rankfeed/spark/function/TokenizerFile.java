package io.rankfeed.spark.function;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.text.chat.ChatTemplate;
import io.rankfeed.text.tokenizer.SpecialTokens;
import io.rankfeed.text.tokenizer.Tokenizer;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * A tokenizer.json that is serialized to the tasks. A JVM opens equal files once.
 *
 * @param file for messages
 * @param sha256 of the content, which passed the check of the driver
 * @param special whether the job adds special tokens
 * @param chat the model's chat template; null where the job names none
 */
record TokenizerFile(
        String file,
        String sha256,
        SpecialTokens special,
        Broadcast<byte[]> content,
        @Nullable ChatFile chat) implements Serializable {
    private static final Map<String, Tokenizer> AT_WORK = new ConcurrentHashMap<>();

    /** @throws EnvironmentException if the driver checked other content */
    Tokenizer tokenizer() {
        return AT_WORK.computeIfAbsent(sha256, digest -> {
            byte[] bytes = content.value();
            if (!Sha256.hex(bytes).equals(digest)) {
                throw new EnvironmentException(
                        "the executor received other bytes of " + file + " than the driver checked; run the job again");
            }
            return Tokenizer.of(file, new String(bytes, StandardCharsets.UTF_8));
        });
    }

    boolean hasTemplate() {
        return chat != null;
    }

    ChatTemplate template(boolean hasTools) {
        return Objects.requireNonNull(chat).template(hasTools);
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
