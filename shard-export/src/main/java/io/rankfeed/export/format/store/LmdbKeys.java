package io.rankfeed.export.format.store;

import java.nio.charset.StandardCharsets;

/**
 * The keys of an environment: {@code 0}, {@code 1}, … as decimal ASCII, {@code __len__}, and {@code meta:0}, {@code meta:1},
 * …. LMDB sorts them as bytes, so the order of the tree is 0, 1, 10, 100, 101, 11, 2, …, {@code __len__}, meta:0, ….
 */
final class LmdbKeys {
    /** The number of the key {@code __len__}. */
    static final long LENGTH = -1;

    private static final byte[] LENGTH_KEY = "__len__".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] METADATA_KEY = "meta:".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_DIGITS = 19;

    private LmdbKeys() {}

    static byte[] buffer() {
        return new byte[METADATA_KEY.length + MAX_DIGITS];
    }

    /** The number of the key of a row's metadata. */
    static long metadata(long index) {
        return -2 - index;
    }

    static boolean isMetadata(long id) {
        return id < LENGTH;
    }

    /** Puts the key into the buffer. @return its length */
    static int put(long id, byte[] buffer) {
        if (id == LENGTH) {
            System.arraycopy(LENGTH_KEY, 0, buffer, 0, LENGTH_KEY.length);
            return LENGTH_KEY.length;
        }
        int prefix = isMetadata(id) ? METADATA_KEY.length : 0;
        System.arraycopy(METADATA_KEY, 0, buffer, 0, prefix);
        long rest = isMetadata(id) ? metadata(id) : id;
        int length = prefix + digits(rest);
        for (int i = length - 1; i >= prefix; i--) {
            buffer[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return length;
    }

    private static int digits(long index) {
        int digits = 1;
        for (long rest = index; rest > 9; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /** The length of a key. */
    static int lengthBytes(long id) {
        return isMetadata(id) ? METADATA_KEY.length + digits(metadata(id)) : digits(id);
    }

    /** The index after this one in the order of keys, among the indexes below {@code count}; {@link #LENGTH} at the end. */
    static long next(long index, long count) {
        if (index == 0) {
            return count > 1 ? 1 : LENGTH;
        }
        if (index * 10 < count) {
            return index * 10;
        }
        long next = index;
        while (next > 0 && (next % 10 == 9 || next + 1 >= count)) {
            next /= 10;
        }
        return next == 0 ? LENGTH : next + 1;
    }
}
