package io.rankfeed.importing.tar;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The records of a pax header, each as {@code "LENGTH KEY=VALUE\n"}. */
final class PaxRecords {
    private static final int MAX_DIGITS = 9;

    private PaxRecords() {}

    /**
     * Parses the content of a header.
     *
     * @param offset of the header in the file, for messages
     */
    static Map<String, String> parse(ForwardBytes file, long offset, byte[] content) {
        Map<String, String> records = new HashMap<>();
        int at = 0;
        // Some programs fill the rest with zeros.
        while (at < content.length && content[at] != 0) {
            int length = 0;
            int digits = 0;
            while (at + digits < content.length
                    && content[at + digits] >= '0'
                    && content[at + digits] <= '9'
                    && digits < MAX_DIGITS) {
                length = 10 * length + content[at + digits++] - '0';
            }
            int key = at + digits + 1;
            int end = at + length;
            int equals = key;
            while (equals < Math.min(end, content.length) && content[equals] != '=') {
                equals++;
            }
            boolean isRecord = digits > 0
                    && end <= content.length
                    && equals < end
                    && content[key - 1] == ' '
                    && content[end - 1] == '\n';
            if (!isRecord) {
                throw file.damage(offset, "byte " + at + " of a pax header is not a record");
            }
            records.put(text(content, key, equals), text(content, equals + 1, end - 1));
            at = end;
        }
        return records;
    }

    private static String text(byte[] content, int from, int to) {
        return new String(content, from, to - from, StandardCharsets.UTF_8);
    }

    /** The size of a member in its records, or else in its header. */
    static long size(Map<String, String> records, long inHeader, ForwardBytes file, long offset) {
        String size = records.get("size");
        if (size == null) {
            return inHeader;
        } else if (!size.matches("[0-9]{1,18}")) {
            throw file.damage(offset, "the size in a pax header is not a number");
        }
        return Long.parseLong(size);
    }
}
