package io.rankfeed.text.chat;

/** States why a template cannot render messages; the caller adds the row. */
public final class ChatException extends Exception {
    private static final long serialVersionUID = 1L;

    public ChatException(String message) {
        super(message);
    }
}
