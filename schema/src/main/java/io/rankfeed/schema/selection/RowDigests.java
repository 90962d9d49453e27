package io.rankfeed.schema.selection;

import io.rankfeed.schema.digest.Sha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * Digests of rows in the order of their lists: a SHA-256 for each {@link #ROWS} rows, of every row its id, file and row in the file,
 * little-endian. Rows come one after the other; where several write them, each digests whole parts of {@link #ROWS}.
 */
public final class RowDigests {
    public static final int ROWS = 1 << 20;

    private static final int ROW_BYTES = 2 * Long.BYTES + Integer.BYTES;
    private static final int BUFFERED_ROWS = 1 << 10;

    private final MessageDigest digest = Sha256.digest();
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFERED_ROWS * ROW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final List<String> ended = new ArrayList<>();
    private int rows;

    /** The number of digests that so many rows have. */
    public static long count(long rows) {
        return rows / ROWS + (rows % ROWS == 0 ? 0 : 1);
    }

    /**
     * @param file index of the row's file in the prepared table
     * @param row number of the row in it
     */
    public void add(long rowId, int file, long row) {
        buffer.putLong(rowId).putInt(file).putLong(row);
        rows++;
        if (!buffer.hasRemaining()) {
            digestBuffered();
        }
        if (rows == ROWS) {
            endPart();
        }
    }

    /** The digests of the rows that were added, as 64 lower-case hexadecimal digits each. It begins again without rows. */
    public List<String> end() {
        if (rows > 0) {
            endPart();
        }
        List<String> digests = List.copyOf(ended);
        ended.clear();
        return digests;
    }

    private void endPart() {
        digestBuffered();
        ended.add(Sha256.hexOf(digest.digest()));
        rows = 0;
    }

    private void digestBuffered() {
        digest.update(buffer.flip());
        buffer.clear();
    }
}
