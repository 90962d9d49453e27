package io.rankfeed.spark.chat.jinja.value;

/** Why a template cannot be read or evaluated; the message is for its author. */
public final class TemplateError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int MAX_CHARS = 1000;

    private final boolean isRefusal;

    private TemplateError(String message, boolean isRefusal) {
        super(message, null, false, false);
        this.isRefusal = isRefusal;
    }

    public static TemplateError of(String message) {
        return new TemplateError(message, false);
    }

    /** The template itself refuses the conversation, with {@code raise_exception}. */
    public static TemplateError refusal(String message) {
        return new TemplateError(message.length() <= MAX_CHARS ? message : message.substring(0, MAX_CHARS) + "…", true);
    }

    public static TemplateError atLine(int line, String message) {
        return new TemplateError("line " + line + ": " + message, false);
    }

    /** What this engine does not have, although Jinja does. */
    public static TemplateError unsupported(String what) {
        return new TemplateError(what + " is not supported", false);
    }

    /** Whether the template called {@code raise_exception}. */
    public boolean isRefusal() {
        return isRefusal;
    }
}
