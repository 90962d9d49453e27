package io.rankfeed.importing.format;

import io.rankfeed.importing.format.ArrowBuffers.Node;
import io.rankfeed.importing.format.ArrowBuffers.Range;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Which rows of a record batch have a value. */
record ArrowValidity(@Nullable ByteBuffer bits, @Nullable ArrowValidity other) {
    /** Every row has a value. */
    static final ArrowValidity ALL = new ArrowValidity(null, null);

    /** Takes the buffer of validity, which is read only if there are nulls. */
    static ArrowValidity read(ArrowBuffers buffers, Node node) {
        Range range = buffers.range();
        if (node.nulls() == 0) {
            return ALL;
        }
        return new ArrowValidity(buffers.read(range, (node.rows() + 7) / 8, "validity"), null);
    }

    ArrowValidity and(ArrowValidity more) {
        return new ArrowValidity(bits, more);
    }

    boolean has(long row) {
        boolean isSet = bits == null || (bits.get((int) (row / 8)) >> (row % 8) & 1) == 1;
        return isSet && (other == null || other.has(row));
    }
}
