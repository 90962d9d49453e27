package io.rankfeed.feeder.tensor;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The layout of one tensor's rows in a slot (ring.md, section 4). */
public enum Layout {
    /** [rows, shape…], C order. */
    FIXED(1),
    /** [rows, width, inner…], C order, width the longest row of the batch; int32 lengths [rows] at its side. */
    PADDED(2),
    /** The rows' values back to back; int64 offsets [rows + 1] at its side. */
    RAGGED(3),
    /** The bytes of all items back to back; int64 offsets [rows + 1] of items and [items + 1] of bytes at its side. */
    LIST(4),
    /** [items, inner…], C order; int64 offsets [rows + 1] of items and the int32 row of each item [items] at its side. */
    STACKED(5),
    /** [rows, width, inner…], C order, of a width that the rules of a column decide. */
    DENSE(6),
    /** [1, values, inner…]: the rows' values back to back. */
    FLAT(7),
    /** [sequences + 1]: where each sequence begins, and the end of the last; the longest one is its width. */
    BOUNDS(8);

    private final int code;

    Layout(int code) {
        this.code = code;
    }

    /** The code of one byte in the ring's tensor table. */
    public int code() {
        return code;
    }

    /** The name in JSON and YAML. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws ConfigException if no layout has this name; the message names the nearest */
    public static Layout fromId(String id) {
        for (Layout layout : values()) {
            if (layout.id().equals(id)) {
                return layout;
            }
        }
        List<String> known = Arrays.stream(values()).map(Layout::id).toList();
        throw new ConfigException("unknown layout '" + id + "'" + Suggestion.hint(id, known));
    }
}
