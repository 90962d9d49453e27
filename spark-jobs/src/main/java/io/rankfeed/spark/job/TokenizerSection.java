package io.rankfeed.spark.job;

import io.rankfeed.schema.config.Default;
import java.util.Optional;

/**
 * A tokenizer that {@code rf_tokenize} and {@code rf_prompt} find by its name.
 *
 * @param file a tokenizer.json, on any Hadoop file system
 * @param specialTokens whether the tokens that its post-processor adds are wanted
 * @param chat a tokenizer_config.json with the model's chat template, for {@code rf_chat}
 */
public record TokenizerSection(String file, @Default("true") boolean specialTokens, Optional<String> chat) {
    public TokenizerSection {
        SourceSection.refuseUnlessPath("file", file);
        chat.ifPresent(path -> SourceSection.refuseUnlessPath("chat", path));
    }
}
