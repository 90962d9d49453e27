package io.rankfeed.spark.prepare.pack;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A key for users, from its encoding (docs/format/plan.md, section 10). */
public final class KeyText {
    /** What to do about duplicate keys. */
    public static final String REMEDY =
            "name in prepare.key the columns that identify a row, or group by them in the job's SQL";

    private static final int MAX_SHOWN_BYTES = 80;

    private KeyText() {}

    /** The message about two rows with the same key. */
    public static String duplicate(byte[] encoded) {
        return duplicate(of(encoded));
    }

    /** @param key as {@link #of} formats it */
    public static String duplicate(String key) {
        return "duplicate key " + key + "; " + REMEDY;
    }

    public static String of(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        List<String> parts = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte tag = bytes.get();
            parts.add(
                    switch (tag) {
                        case 2 -> "'" + new String(shown(bytes), StandardCharsets.UTF_8) + "'";
                        case 3 -> "0x" + HexFormat.of().formatHex(shown(bytes));
                        case 4 -> Boolean.toString(bytes.get() != 0);
                        default -> Long.toString(bytes.getLong());
                    });
        }
        return "(" + String.join(", ", parts) + ")";
    }

    private static byte[] shown(ByteBuffer bytes) {
        byte[] all = new byte[bytes.getInt()];
        bytes.get(all);
        return all.length <= MAX_SHOWN_BYTES ? all : java.util.Arrays.copyOf(all, MAX_SHOWN_BYTES);
    }
}
