package io.rankfeed.schema.text;

/** What an answer consists of; the word is the lower-case name with "-". */
public enum AnswerPart {
    /** The content, with what the template writes before it. */
    CONTENT,
    /** The reasoning, with its tags. */
    THINKING,
    /** The calls of tools, with their tags. */
    TOOL_CALLS,
    /** What the template writes after all that, such as an end-of-turn token. */
    END
}
