package io.rankfeed.text.chat;

import io.rankfeed.schema.text.AnswerPart;
import io.rankfeed.text.chat.jinja.Marked;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a chat template that a job sets.
 *
 * @param date of {@code strftime_now}; null where there is none
 * @param trained parts of answers that are wanted
 */
public record ChatOptions(@Nullable LocalDate date, EnumSet<AnswerPart> trained) implements Serializable {
    /** The options of a job that sets none: no date, and whole answers are trained. */
    public static final ChatOptions DEFAULT = new ChatOptions(null, EnumSet.allOf(AnswerPart.class));

    /** Whether all parts are wanted. */
    public boolean areWhole() {
        return trained.size() == AnswerPart.values().length;
    }

    List<Rendered.Span> chosen(Marked whole, List<Rendered.Span> answers) {
        return areWhole() ? answers : AnswerParts.of(whole, answers, trained);
    }
}
