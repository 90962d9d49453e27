package io.rankfeed.feeder.preview;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** HTML that is written up to about a number of bytes. Text is escaped here, and nowhere else. */
final class Html {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final long maxBytes;

    Html(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Whether so many bytes more are within the limit. */
    boolean hasRoom(long more) {
        return bytes.size() + more <= maxBytes;
    }

    /** Appends markup, which has no text from data. */
    Html tag(String markup) {
        bytes.writeBytes(markup.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Appends text, as content or as the value of an attribute in double quotes. */
    Html text(String text) {
        return tag(escaped(text));
    }

    /** Appends an element with text. */
    Html element(String tag, String text) {
        int space = tag.indexOf(' ');
        return tag("<" + tag + ">").text(text).tag("</" + (space < 0 ? tag : tag.substring(0, space)) + ">");
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
