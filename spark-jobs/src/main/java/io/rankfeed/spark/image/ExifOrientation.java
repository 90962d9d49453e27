package io.rankfeed.spark.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The orientation in EXIF data (tag 0x0112 of the first directory), and how it is applied. */
final class ExifOrientation {
    private static final int TAG = 0x0112;
    private static final int SHORT = 3;
    private static final int ENTRY_BYTES = 12;

    private ExifOrientation() {}

    /** 1 to 8; 1 where the data has none, or is corrupted: metadata never rejects an image. */
    static int of(byte[] file, int from, int to) {
        if (to - from < 8) {
            return 1;
        }
        ByteBuffer tiff = ByteBuffer.wrap(file, from, to - from).slice();
        int order = tiff.getShort(0);
        if (order != 0x4949 && order != 0x4D4D) {
            return 1;
        }
        tiff.order(order == 0x4949 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        long directory = Integer.toUnsignedLong(tiff.getInt(4));
        if (tiff.getShort(2) != 42 || directory + 2 > tiff.limit()) {
            return 1;
        }
        int entries = Short.toUnsignedInt(tiff.getShort((int) directory));
        for (int i = 0; i < entries; i++) {
            long at = directory + 2 + (long) i * ENTRY_BYTES;
            if (at + ENTRY_BYTES > tiff.limit()) {
                return 1;
            }
            int entry = (int) at;
            if (Short.toUnsignedInt(tiff.getShort(entry)) == TAG) {
                int value = Short.toUnsignedInt(tiff.getShort(entry + 8));
                return tiff.getShort(entry + 2) == SHORT && value >= 1 && value <= 8 ? value : 1;
            }
        }
        return 1;
    }

    /** The image turned and mirrored as the orientation says; 5 to 8 swap width and height. */
    static RgbPixels applied(int orientation, RgbPixels image) {
        if (orientation == 1) {
            return image;
        }
        boolean swapped = orientation >= 5;
        int width = swapped ? image.height() : image.width();
        int height = swapped ? image.width() : image.height();
        byte[] in = image.bytes();
        byte[] out = new byte[in.length];
        int at = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int u = swapped ? y : x;
                int v = swapped ? x : y;
                int column = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8
                        ? image.width() - 1 - u
                        : u;
                int row = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7
                        ? image.height() - 1 - v
                        : v;
                System.arraycopy(in, (row * image.width() + column) * 3, out, at, 3);
                at += 3;
            }
        }
        return new RgbPixels(width, height, out);
    }
}
