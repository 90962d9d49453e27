package io.rankfeed.text.chat;

/** Why messages cannot be rendered by a template; the caller knows the row. */
public final class ChatException extends Exception {
    private static final long serialVersionUID = 1L;

    public ChatException(String message) {
        super(message);
    }
}
