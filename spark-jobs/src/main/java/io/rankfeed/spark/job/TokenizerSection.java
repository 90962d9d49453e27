package io.rankfeed.spark.job;

import io.rankfeed.schema.config.Default;

/**
 * A tokenizer that {@code rf_tokenize} and {@code rf_prompt} find by its name.
 *
 * @param file a tokenizer.json, on any Hadoop file system
 * @param specialTokens whether the tokens that its post-processor adds are wanted
 */
public record TokenizerSection(String file, @Default("true") boolean specialTokens) {
    public TokenizerSection {
        SourceSection.refuseUnlessPath("file", file);
    }
}
