package io.rankfeed.spark.prepare.pack;

import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;

/**
 * A row that cannot be taken.
 *
 * @param message what is wrong with it
 * @param content its columns as JSON
 */
public record BadRow(Reason reason, String message, String content) {
    private static final char END = 0;

    /** Encodes the row into the column of the key, for the shuffle to a file. */
    byte[] encoded() {
        String text = reason.name() + END + message.replace(END, ' ') + END + content;
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The name of the reason, of what is encoded. */
    public static Column reason(Column encoded) {
        return functions.substring_index(functions.decode(encoded, "UTF-8"), String.valueOf(END), 1);
    }

    public static BadRow decoded(byte[] encoded) {
        String[] parts = new String(encoded, StandardCharsets.UTF_8).split(String.valueOf(END), 3);
        return new BadRow(Reason.valueOf(parts[0]), parts[1], parts[2]);
    }
}
