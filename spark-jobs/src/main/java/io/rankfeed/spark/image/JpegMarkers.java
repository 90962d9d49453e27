package io.rankfeed.spark.image;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What the markers of a JPEG file say about its colors and its end; the entropy-coded data is skipped. Lengths are checked. */
final class JpegMarkers {
    /** How samples become red, green and blue, by the rules of libjpeg. */
    enum Color {
        GRAY,
        RGB,
        YCC,
        CMYK,
        YCCK
    }

    private static final int SOI = 0xD8;
    private static final int EOI = 0xD9;
    private static final int SOS = 0xDA;
    private static final int APP0 = 0xE0;
    private static final int APP1 = 0xE1;
    private static final int APP14 = 0xEE;
    private static final int TEM = 0x01;
    private static final int NO_ADOBE = -1;

    private final byte[] file;
    private boolean jfif;
    private int adobeTransform = NO_ADOBE;
    private int[] components = {};
    private int orientation = 1;
    private boolean ended;

    private JpegMarkers(byte[] file) {
        this.file = file;
    }

    static JpegMarkers of(byte[] file) {
        JpegMarkers markers = new JpegMarkers(file);
        markers.read();
        return markers;
    }

    /** Whether the file has the end marker, without which Pillow rejects it as truncated. */
    boolean isComplete() {
        return ended;
    }

    /** EXIF orientation, 1 to 8; 1 where there is none. */
    int orientation() {
        return orientation;
    }

    /** @throws BrokenImageException if it has neither 1, 3 nor 4 components */
    Color color() throws BrokenImageException {
        return switch (components.length) {
            case 1 -> Color.GRAY;
            case 3 -> threeComponents();
            // Without an Adobe marker libjpeg takes four components for CMYK, and with one for YCCK unless it says 0.
            case 4 -> adobeTransform == NO_ADOBE || adobeTransform == 0 ? Color.CMYK : Color.YCCK;
            default ->
                throw new BrokenImageException(
                        "has " + components.length + " JPEG components; 1, 3 or 4 are supported");
        };
    }

    private Color threeComponents() {
        if (jfif) {
            return Color.YCC;
        } else if (adobeTransform != NO_ADOBE) {
            return adobeTransform == 0 ? Color.RGB : Color.YCC;
        }
        return Arrays.equals(components, new int[] {'R', 'G', 'B'}) ? Color.RGB : Color.YCC;
    }

    private void read() {
        int at = 2;
        while (at + 1 < file.length) {
            int marker = file[at + 1] & 0xFF;
            if ((file[at] & 0xFF) != 0xFF) {
                at++; // garbage between segments, which decoders skip too
            } else if (marker == 0xFF || marker == 0) {
                at++;
            } else if (marker == EOI) {
                ended = true;
                return;
            } else if (marker == SOI || marker == TEM || (marker >= 0xD0 && marker <= 0xD7)) {
                at += 2;
            } else if (at + 3 >= file.length) {
                return;
            } else {
                int length = unsigned16(at + 2);
                segment(marker, at + 4, Math.min(at + 2 + length, file.length));
                at += 2 + Math.max(2, length);
                if (marker == SOS) {
                    at = afterScan(at);
                }
            }
        }
    }

    /** The next marker after entropy-coded data, in which FF 00 is a byte and FF D0 to FF D7 are restarts. */
    private int afterScan(int start) {
        int at = start;
        while (at + 1 < file.length) {
            int next = file[at + 1] & 0xFF;
            if ((file[at] & 0xFF) == 0xFF && next != 0 && next != 0xFF && (next < 0xD0 || next > 0xD7)) {
                return at;
            }
            at++;
        }
        return at;
    }

    private void segment(int marker, int from, int to) {
        boolean frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (marker == APP0 && starts(from, to, "JFIF\0")) {
            jfif = true;
        } else if (marker == APP14 && to - from >= 12 && starts(from, to, "Adobe")) {
            adobeTransform = file[from + 11] & 0xFF;
        } else if (marker == APP1 && starts(from, to, "Exif\0\0")) {
            orientation = ExifOrientation.of(file, from + 6, to);
        } else if (frame && to - from >= 6) {
            int count = file[from + 5] & 0xFF;
            if (to - from >= 6 + 3 * count) {
                components = new int[count];
                Arrays.setAll(components, i -> file[from + 6 + 3 * i] & 0xFF);
            }
        }
    }

    private boolean starts(int from, int to, String word) {
        byte[] bytes = word.getBytes(StandardCharsets.US_ASCII);
        return to - from >= bytes.length && Arrays.equals(file, from, from + bytes.length, bytes, 0, bytes.length);
    }

    private int unsigned16(int at) {
        return (file[at] & 0xFF) << 8 | (file[at + 1] & 0xFF);
    }
}
