package io.rankfeed.export.format;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What a part consists of.
 *
 * @param part index of the part
 * @param rows rows in all files
 * @param files its files in their order
 * @param state what else the format needs to {@linkplain Format#finish finish} the set
 */
@SuppressWarnings("ArrayRecordComponent") // not compared; it crosses from a task to the driver
public record PartSummary(int part, long rows, ArrayList<FormatFile> files, byte[] state) implements Serializable {
    public static PartSummary of(int part, List<FormatFile> files) {
        return of(part, files, new byte[0]);
    }

    public static PartSummary of(int part, List<FormatFile> files, byte[] state) {
        long rows =
                files.stream().mapToLong(FormatFile::rows).filter(n -> n > 0).sum();
        return new PartSummary(part, rows, new ArrayList<>(files), state);
    }
}
