package io.rankfeed.spark.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * A tokenizer that {@code rf_tokenize} and {@code rf_prompt} find by its name.
 *
 * @param file a tokenizer.json, on any Hadoop file system
 * @param specialTokens whether the tokens that its post-processor adds are wanted
 * @param chat a tokenizer_config.json with the model's chat template, for {@code rf_chat}
 * @param date what templates get as the present date
 */
public record TokenizerSection(
        String file, @Default("true") boolean specialTokens, Optional<String> chat, Optional<String> date) {
    public TokenizerSection {
        SourceSection.refuseUnlessPath("file", file);
        chat.ifPresent(path -> SourceSection.refuseUnlessPath("chat", path));
        date.ifPresent(TokenizerSection::parsed);
    }

    /** The date of templates. */
    public Optional<LocalDate> templateDate() {
        return date.map(TokenizerSection::parsed);
    }

    private static LocalDate parsed(String written) {
        try {
            return LocalDate.parse(written);
        } catch (DateTimeParseException e) {
            throw new BadValue("date", "'" + written + "' is not a date such as 2026-07-01");
        }
    }
}
