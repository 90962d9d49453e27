package io.rankfeed.spark.function;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.broadcast.Broadcast;

/**
 * A tokenizer.json that goes with the tasks. Equal files are one tokenizer in a JVM.
 *
 * @param sha256 of the content
 * @param special what the job says of special tokens
 */
record TokenizerFile(String sha256, SpecialTokens special, Broadcast<byte[]> content) implements Serializable {
    private static final Map<String, Tokenizer> AT_WORK = new ConcurrentHashMap<>();

    Tokenizer tokenizer() {
        return AT_WORK.computeIfAbsent(
                sha256, digest -> Tokenizer.of(new String(content.value(), StandardCharsets.UTF_8)));
    }

    /** Equal files give equal tokens, whichever broadcast brings them. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TokenizerFile file && sha256.equals(file.sha256) && special == file.special;
    }

    @Override
    public int hashCode() {
        return sha256.hashCode();
    }
}
