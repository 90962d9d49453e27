package io.rankfeed.schema.image;

/** The bytes of an image file, in an array or in a mapped file. An index outside 0 to {@link #length} is the caller's fault. */
public interface ImageBytes {
    /** Bytes in the file. */
    int length();

    /** The byte at an index, 0 to 255. */
    int at(int index);

    /** Returns the big-endian number of the two bytes at an index. */
    default int bigEndian16(int index) {
        return at(index) << 8 | at(index + 1);
    }

    /** Returns the little-endian number of the two bytes at an index. */
    default int littleEndian16(int index) {
        return at(index) | at(index + 1) << 8;
    }

    /** Four bytes, big-endian, unsigned. */
    default long bigEndian32(int index) {
        return (long) bigEndian16(index) << 16 | bigEndian16(index + 2);
    }

    /** Four bytes, little-endian, unsigned. */
    default long littleEndian32(int index) {
        return littleEndian16(index) | (long) littleEndian16(index + 2) << 16;
    }

    /** Whether the bytes from an index on are these characters; false where the file ends before. */
    default boolean has(int index, String ascii) {
        if (index < 0 || index > length() - ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (at(index + i) != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** @param file not copied */
    static ImageBytes of(byte[] file) {
        return new ImageBytes() {
            @Override
            public int length() {
                return file.length;
            }

            @Override
            public int at(int index) {
                return file[index] & 0xFF;
            }
        };
    }
}
