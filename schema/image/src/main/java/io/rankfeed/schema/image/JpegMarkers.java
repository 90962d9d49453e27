package io.rankfeed.schema.image;

/**
 * Reads the size, the colors and the end of a JPEG file from its markers. One object is reused for many files. Lengths
 * are checked.
 */
final class JpegMarkers {
    /** The conversion of samples to red, green and blue, by the rules of libjpeg. */
    enum Color {
        GRAY,
        RGB,
        YCC,
        CMYK,
        YCCK
    }

    /** Extended sequential; frames of higher numbers are progressive, or no decoder here supports them. */
    private static final int SOF1 = 0xC1;

    private static final int SOI = 0xD8;
    private static final int EOI = 0xD9;
    private static final int SOS = 0xDA;
    private static final int APP0 = 0xE0;
    private static final int APP1 = 0xE1;
    private static final int APP14 = 0xEE;
    private static final int TEM = 0x01;
    private static final int NO_ADOBE = -1;
    private static final int NO_SCAN = -1;

    private ImageBytes file = ImageBytes.of(new byte[0]);
    private boolean jfif;
    private int adobeTransform;
    private int width;
    private int height;
    private int components;
    private boolean namedRgb;
    /** Sampling factors of each component, horizontal in the upper four bits. */
    private final int[] sampling = new int[4];

    private int orientation;
    private int firstScan;
    private boolean buffered;

    /** Reads up to the first scan; a file that ends before has what was found. */
    void read(ImageBytes bytes) {
        file = bytes;
        jfif = false;
        adobeTransform = NO_ADOBE;
        width = 0;
        height = 0;
        components = 0;
        namedRgb = false;
        orientation = 1;
        firstScan = NO_SCAN;
        buffered = false;
        int at = nextSegment(2);
        while (at != NO_SCAN) {
            int marker = file.at(at + 1);
            int length = file.bigEndian16(at + 2);
            segment(marker, at + 4, Math.min(at + 2 + length, file.length()));
            int after = at + 2 + Math.max(2, length);
            if (marker == SOS) {
                firstScan = after;
                return;
            }
            at = nextSegment(after);
        }
    }

    /** 0 where no frame header was found. */
    int width() {
        return width;
    }

    /** 0 where no frame header was found, or where it is given after the first scan, which no decoder here supports. */
    int height() {
        return height;
    }

    /** EXIF orientation, 1 to 8; 1 where there is none. */
    int orientation() {
        return orientation;
    }

    /** Whether the first scan has only a part of the image: decoders then keep the coefficients of the whole image. */
    boolean isBuffered() {
        return buffered;
    }

    /** Whether the file has the end marker, without which Pillow rejects it as truncated. */
    boolean isComplete() {
        if (firstScan == NO_SCAN) {
            return false;
        }
        int last = file.length() - 2;
        // In a scan a byte FF is followed by 00, so these two bytes are the marker in every file that is not made to
        // deceive.
        if (last >= firstScan && file.at(last) == 0xFF && file.at(last + 1) == EOI) {
            return true;
        }
        int at = afterScan(firstScan);
        while (at + 1 < file.length()) {
            int marker = file.at(at + 1);
            if (file.at(at) != 0xFF || marker == 0xFF || marker == 0) {
                at++;
            } else if (marker == EOI) {
                return true;
            } else if (isAlone(marker)) {
                at += 2;
            } else if (at + 3 >= file.length()) {
                return false;
            } else {
                at += 2 + Math.max(2, file.bigEndian16(at + 2));
                at = marker == SOS ? afterScan(at) : at;
            }
        }
        return false;
    }

    /** @throws BrokenImageException if it has neither 1, 3 nor 4 components */
    Color color() throws BrokenImageException {
        return switch (components) {
            case 1 -> Color.GRAY;
            case 3 -> threeComponents();
            // Without an Adobe marker libjpeg takes four components for CMYK, and with one for YCCK unless it says 0.
            case 4 -> adobeTransform == NO_ADOBE || adobeTransform == 0 ? Color.CMYK : Color.YCCK;
            default ->
                throw new BrokenImageException("has " + components + " JPEG components; 1, 3 or 4 are supported");
        };
    }

    /** Whether a component has as many samples per row as the widest one, and half as many rows as the highest one. */
    boolean hasHalfTheRows(int component) {
        int widest = 0;
        int highest = 0;
        for (int i = 0; i < components; i++) {
            widest = Math.max(widest, sampling[i] >> 4);
            highest = Math.max(highest, sampling[i] & 15);
        }
        return sampling[component] >> 4 == widest && (sampling[component] & 15) * 2 == highest;
    }

    private Color threeComponents() {
        if (jfif) {
            return Color.YCC;
        } else if (adobeTransform != NO_ADOBE) {
            return adobeTransform == 0 ? Color.RGB : Color.YCC;
        }
        return namedRgb ? Color.RGB : Color.YCC;
    }

    /** The next marker that has a length; {@link #NO_SCAN} where the image or the file ends before. */
    private int nextSegment(int start) {
        int at = start;
        while (at + 3 < file.length()) {
            int marker = file.at(at + 1);
            if (file.at(at) != 0xFF || marker == 0xFF || marker == 0) {
                at++; // garbage between segments, which decoders skip too
            } else if (marker == EOI) {
                return NO_SCAN;
            } else if (isAlone(marker)) {
                at += 2;
            } else {
                return at;
            }
        }
        return NO_SCAN;
    }

    private static boolean isAlone(int marker) {
        return marker == SOI || marker == TEM || (marker >= 0xD0 && marker <= 0xD7);
    }

    /** The next marker after entropy-coded data, in which FF 00 is a byte and FF D0 to FF D7 are restarts. */
    private int afterScan(int start) {
        int at = start;
        while (at + 1 < file.length()) {
            int next = file.at(at + 1);
            if (file.at(at) == 0xFF && next != 0 && next != 0xFF && (next < 0xD0 || next > 0xD7)) {
                return at;
            }
            at++;
        }
        return at;
    }

    private void segment(int marker, int from, int to) {
        boolean frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (marker == SOS && to > from) {
            buffered |= file.at(from) < components;
        } else if (marker == APP0 && to - from >= 5 && file.has(from, "JFIF\0")) {
            jfif = true;
        } else if (marker == APP14 && to - from >= 12 && file.has(from, "Adobe")) {
            adobeTransform = file.at(from + 11);
        } else if (marker == APP1 && to - from >= 6 && file.has(from, "Exif\0\0")) {
            orientation = ExifOrientation.of(file, from + 6, to);
        } else if (frame && to - from >= 6) {
            int count = file.at(from + 5);
            if (to - from >= 6 + 3 * count) {
                height = file.bigEndian16(from + 1);
                width = file.bigEndian16(from + 3);
                components = count;
                buffered = marker > SOF1;
                for (int i = 0; i < Math.min(count, sampling.length); i++) {
                    sampling[i] = file.at(from + 7 + 3 * i);
                }
                namedRgb =
                        count == 3 && file.at(from + 6) == 'R' && file.at(from + 9) == 'G' && file.at(from + 12) == 'B';
            }
        }
    }
}
