package io.rankfeed.schema.text;

/** The parts of an answer. A part's word in a job is its name in lower case, with "-". */
public enum AnswerPart {
    /** The content, with what the template writes before it. */
    CONTENT,
    /** The reasoning, with its tags. */
    THINKING,
    /** The calls of tools, with their tags. */
    TOOL_CALLS,
    /** The text that the template writes after all other parts, such as an end-of-turn token. */
    END
}
