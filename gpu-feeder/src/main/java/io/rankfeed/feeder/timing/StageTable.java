package io.rankfeed.feeder.timing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The timers that the feeder keeps of one attached client: in memory until the client has a ring file, then there
 * (docs/format/ring.md, section 7). Entries are named when a stage is first asked for. The first entries are the client's own.
 */
public final class StageTable {
    /** Entries of a table. */
    public static final int ENTRIES = 64;

    /** Entries that only the client writes. */
    public static final int CLIENT_ENTRIES = 8;

    /** Bytes of a table. */
    public static final int BYTES = ENTRIES * StageTimer.BYTES;

    private static final int MAX_NAME_BYTES = 48;
    private static final String OTHERS = "other";

    private MemorySegment memory = MemorySegment.ofArray(new long[BYTES / Long.BYTES]);
    private final Map<String, StageTimer> timers = new HashMap<>();
    private int used = CLIENT_ENTRIES;

    /**
     * Continues in other memory; not while another thread records.
     *
     * @param other {@link #BYTES} long, zeros, aligned to 8 bytes
     */
    public synchronized void moveTo(MemorySegment other) {
        for (StageTimer timer : timers.values()) {
            timer.moveTo(other.asSlice(timer.offset(), StageTimer.BYTES));
        }
        memory = other;
    }

    /**
     * The timer of a stage. Where the table is full, all further stages share one timer named {@code other}.
     *
     * @param name ASCII, at most 47 characters, as {@code fill}
     */
    public synchronized StageTimer stage(String name) {
        StageTimer known = timers.get(name);
        if (known != null) {
            return known;
        }
        if (used >= ENTRIES - 1 && !name.equals(OTHERS)) {
            return stage(OTHERS);
        }
        MemorySegment entry = memory.asSlice((long) used * StageTimer.BYTES, StageTimer.BYTES);
        byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
        if (ascii.length >= MAX_NAME_BYTES) {
            throw new IllegalArgumentException("stage " + name + ": a name has at most 47 characters");
        }
        MemorySegment.copy(ascii, 0, entry, ValueLayout.JAVA_BYTE, 0, ascii.length);
        used++;
        StageTimer timer = new StageTimer(entry, (long) (used - 1) * StageTimer.BYTES);
        timers.put(name, timer);
        return timer;
    }
}
