package io.rankfeed.spark.prepare.pack;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.spark.SparkThrowable;

/**
 * A row that cannot be taken.
 *
 * @param message what is wrong with it
 * @param content its columns as JSON
 */
public record BadRow(Reason reason, String message, String content) {
    private static final char END = 0;

    /** What a failure says of the row that it met; nothing where it says something of the job or the machine. */
    static Optional<UnfitValueException> reasonOf(RuntimeException failure) {
        if (failure instanceof UnfitValueException unfit) {
            return Optional.of(unfit);
        } else if (failure instanceof SparkThrowable spark) {
            String state = String.valueOf(spark.getSqlState());
            // Data exceptions of SQL; and raise_error.
            if (state.startsWith("22") || state.equals("P0001")) {
                Reason reason = state.equals("P0001") ? Reason.RAISED : Reason.UNFIT_VALUE;
                return Optional.of(new UnfitValueException(reason, StorageFailures.firstLine(failure)));
            }
        }
        return Optional.empty();
    }

    /** As it is encoded in place of a key on its way to a file. */
    byte[] encoded() {
        String text = reason.name() + END + message.replace(END, ' ') + END + content;
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static BadRow decoded(byte[] encoded) {
        String[] parts = new String(encoded, StandardCharsets.UTF_8).split(String.valueOf(END), 3);
        return new BadRow(Reason.valueOf(parts[0]), parts[1], parts[2]);
    }
}
