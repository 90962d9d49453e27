package io.rankfeed.text.chat.jinja.value;

/** States why a template cannot be parsed or evaluated; the message is for its author. */
public final class TemplateError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int MAX_CHARS = 1000;

    private final boolean isRefusal;
    private final boolean hasLine;

    private TemplateError(String message, boolean isRefusal, boolean hasLine) {
        super(message, null, false, false);
        this.isRefusal = isRefusal;
        this.hasLine = hasLine;
    }

    /** Adds the line of the innermost statement; an error that the template itself raises keeps its message. */
    public TemplateError at(int line) {
        return isRefusal || hasLine ? this : atLine(line, String.valueOf(getMessage()));
    }

    public static TemplateError of(String message) {
        return new TemplateError(message, false, false);
    }

    /** The template itself refuses the conversation, with {@code raise_exception}. */
    public static TemplateError refusal(String message) {
        return new TemplateError(
                message.length() <= MAX_CHARS ? message : message.substring(0, MAX_CHARS) + "…", true, false);
    }

    public static TemplateError atLine(int line, String message) {
        return new TemplateError("line " + line + ": " + message, false, true);
    }

    /** Reports a feature of Jinja that this engine does not have. */
    public static TemplateError unsupported(String what) {
        return new TemplateError(what + " is not supported", false, false);
    }

    /** Whether the template called {@code raise_exception}. */
    public boolean isRefusal() {
        return isRefusal;
    }
}
