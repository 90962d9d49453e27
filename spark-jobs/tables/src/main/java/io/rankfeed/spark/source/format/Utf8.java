package io.rankfeed.spark.source.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text of files whose format promises UTF-8. */
public final class Utf8 {
    private Utf8() {}

    /** @throws BadValue if the bytes are not UTF-8 */
    public static String text(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        if (text.indexOf('\ufffd') >= 0) {
            try {
                // It may replace invalid bytes, which this decoder refuses.
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, offset, length));
            } catch (CharacterCodingException e) {
                throw BadValue.damaged("invalid UTF-8");
            }
        }
        return text;
    }
}
