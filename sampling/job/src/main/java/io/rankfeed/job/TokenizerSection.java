package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.NotEmpty;
import io.rankfeed.schema.text.AnswerPart;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * A tokenizer that {@code rf_tokenize} and {@code rf_prompt} find by its name.
 *
 * @param file a tokenizer.json, on any Hadoop file system
 * @param specialTokens whether the tokens that its post-processor adds are wanted
 * @param chat a tokenizer_config.json with the model's chat template, for {@code rf_chat}
 * @param date what templates get as the present date
 * @param trainOn parts of answers that the spans of {@code rf_chat} cover
 */
public record TokenizerSection(
        String file,
        @Default("true") boolean specialTokens,
        Optional<String> chat,
        Optional<String> date,

        @Default("[content, thinking, tool-calls, end]") @NotEmpty
        List<AnswerPart> trainOn) {
    public TokenizerSection {
        WrittenPath.of("file", file);
        chat.ifPresent(path -> WrittenPath.of("chat", path));
        date.ifPresent(TokenizerSection::parsed);
        if (chat.isEmpty() && date.isPresent()) {
            throw withoutTemplate("date");
        }
        if (chat.isEmpty() && !EnumSet.copyOf(trainOn).equals(EnumSet.allOf(AnswerPart.class))) {
            throw withoutTemplate("train-on");
        }
    }

    private static BadValue withoutTemplate(String key) {
        return new BadValue(
                key, "applies to chat templates; state one, such as chat: tokenizer_config.json, or remove it");
    }

    /** The date that chat templates get as the present one; empty where the job states none. */
    public Optional<LocalDate> presentDate() {
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
