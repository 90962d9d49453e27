package io.rankfeed.schema.image;

/** The orientation in EXIF data, which has the layout of a TIFF file. Every index is checked. */
final class ExifOrientation {
    private static final int ORIENTATION = 0x0112;
    private static final int SHORT = 3;
    private static final int ENTRY_BYTES = 12;
    private static final long ABSENT = -1;

    private ExifOrientation() {}

    /** The EXIF orientation, 1 to 8; 1 where there is none or the data is corrupted: metadata never rejects an image. */
    static int of(ImageBytes file, int from, int to) {
        long value = number(file, from, to);
        return value >= 1 && value <= 8 ? (int) value : 1;
    }

    private static long number(ImageBytes file, int from, int to) {
        if (to - from < 8) {
            return ABSENT;
        }
        boolean isLittle = file.has(from, "II");
        if (!isLittle && !file.has(from, "MM")) {
            return ABSENT;
        }
        long directory = from + number32(file, from + 4, isLittle);
        if (number16(file, from + 2, isLittle) != 42 || directory + 2 > to) {
            return ABSENT;
        }
        int entries = number16(file, (int) directory, isLittle);
        for (int i = 0; i < entries; i++) {
            long at = directory + 2 + (long) i * ENTRY_BYTES;
            if (at + ENTRY_BYTES > to) {
                return ABSENT;
            }
            int entry = (int) at;
            if (number16(file, entry, isLittle) == ORIENTATION && number16(file, entry + 2, isLittle) == SHORT) {
                return number16(file, entry + 8, isLittle);
            }
        }
        return ABSENT;
    }

    private static int number16(ImageBytes file, int at, boolean isLittle) {
        return isLittle ? file.littleEndian16(at) : file.bigEndian16(at);
    }

    private static long number32(ImageBytes file, int at, boolean isLittle) {
        return isLittle ? file.littleEndian32(at) : file.bigEndian32(at);
    }
}
