package io.rankfeed.export.format;

import io.rankfeed.schema.PackedList;
import java.nio.charset.StandardCharsets;

/** A list of strings as JSON. */
public final class JsonText {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private JsonText() {}

    /** Appends the list of a row; an empty list if it is missing. */
    public static void append(FormatRow row, int field, ByteBuilder to) {
        to.put((byte) '[');
        if (!row.isMissing(field)) {
            PackedList list = row.list(field);
            int at = list.valuesOffset();
            for (int item = 0; item < list.count(); item++) {
                if (item > 0) {
                    to.put((byte) ',');
                }
                quote(list.array(), at, list.itemLength(item), to);
                at += list.itemLength(item);
            }
        }
        to.put((byte) ']');
    }

    /** Appends UTF-8 as a JSON string: only quotes, backslashes and control characters have an escape. */
    public static void quote(byte[] text, int offset, int length, ByteBuilder to) {
        to.put((byte) '"');
        for (int i = offset; i < offset + length; i++) {
            byte c = text[i];
            if (c == '"' || c == '\\') {
                to.put((byte) '\\').put(c);
            } else if (c >= 0 && c < ' ') {
                to.put((byte) '\\').put((byte) 'u').put((byte) '0').put((byte) '0');
                to.put(HEX[c >> 4]).put(HEX[c & 15]);
            } else {
                to.put(c);
            }
        }
        to.put((byte) '"');
    }
}
