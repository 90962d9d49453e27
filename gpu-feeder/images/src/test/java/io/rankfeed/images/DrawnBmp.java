package io.rankfeed.images;

import io.rankfeed.schema.image.RgbPixels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Writes BMP files of every header, depth and compression. */
final class DrawnBmp {
    private static final List<int[]> MASKS = List.of(
            new int[] {0xFF0000, 0xFF00, 0xFF},
            new int[] {0xFF, 0xFF00, 0xFF0000},
            new int[] {0x3FF00000, 0xFFC00, 0x3FF},
            new int[] {0xF800, 0x7E0, 0x1F},
            new int[] {0x7C00, 0x3E0, 0x1F});

    private DrawnBmp() {}

    static DrawnFile drawn(Random random) {
        int head = DrawnFile.one(random, List.of(12, 40, 40, 52, 56, 64, 108, 124));
        int bits = DrawnFile.one(random, head == 12 ? List.of(1, 4, 8, 24) : List.of(1, 2, 4, 8, 16, 24, 32, 32));
        boolean hasMasks = (bits == 16 || bits == 32) && head != 64 && random.nextBoolean();
        int[] masks = DrawnFile.one(random, bits == 16 ? MASKS.subList(3, 5) : MASKS.subList(0, 3));
        boolean isRle = (bits == 4 || bits == 8) && head != 12 && random.nextInt(3) == 0;
        int compression = isRle ? (bits == 8 ? 1 : 2) : hasMasks ? 3 : 0;
        boolean isTopDown = head != 12 && !isRle && random.nextInt(3) == 0;
        int height = DrawnFile.side(random);
        int width = DrawnFile.side(random);
        int gap = random.nextInt(4) == 0 ? random.nextInt(9) : 0;
        int colors = bits > 8 ? 0 : 1 << bits;
        int colorBytes = head == 12 ? 3 : 4;
        int extra = hasMasks && head == 40 ? 12 : 0;
        int offset = 14 + head + extra + colors * colorBytes + gap;
        ByteBuffer out = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 'B').put((byte) 'M').putInt(0).putInt(0).putInt(offset).putInt(head);
        if (head == 12) {
            out.putShort((short) width)
                    .putShort((short) height)
                    .putShort((short) 1)
                    .putShort((short) bits);
        } else {
            out.putInt(width)
                    .putInt(isTopDown ? -height : height)
                    .putShort((short) 1)
                    .putShort((short) bits);
            out.putInt(compression);
        }
        if (hasMasks) {
            out.position(54);
            out.putInt(masks[0]).putInt(masks[1]).putInt(masks[2]);
        }
        out.position(offset - gap - colors * colorBytes);
        byte[] palette = new byte[colors * 3];
        random.nextBytes(palette);
        for (int i = 0; i < colors; i++) {
            out.put(palette[3 * i + 2]).put(palette[3 * i + 1]).put(palette[3 * i]);
            out.put(new byte[colorBytes - 3]);
        }
        out.position(offset);
        byte[] rgb = new byte[height * width * 3];
        for (int line = 0; line < height; line++) {
            int at = (isTopDown ? line : height - 1 - line) * width * 3;
            if (bits > 8) {
                direct(random, out, bits, rgb, at, width);
            } else if (isRle) {
                runs(random, out, bits, palette, rgb, at, width);
                out.putShort((short) (line == height - 1 ? 0x0100 : 0));
            } else {
                indexes(random, out, bits, palette, rgb, at, width);
            }
            while (!isRle && (out.position() - offset) % 4 != 0) {
                out.put((byte) 0);
            }
        }
        byte[] file = new byte[out.position()];
        out.get(0, file);
        String what = "BMP header " + head + ", " + bits + " bits, compression " + compression + ", gap " + gap;
        if (bits == 2 || bits == 16 || (hasMasks && masks[0] != 0xFF0000)) {
            return DrawnFile.refused(what, file, "is a BMP of " + bits + " bits per pixel and compression .*");
        } else if (!isRle && random.nextInt(8) == 0) {
            int kept = file.length - 1 - random.nextInt(Math.min(height * width * bits / 8 + 1, 100));
            return DrawnFile.refused(
                    what + " cut to " + kept, Arrays.copyOf(file, kept), "is truncated|is corrupted: its header.*");
        }
        return DrawnFile.of(what, file, new RgbPixels(width, height, rgb));
    }

    private static void direct(Random random, ByteBuffer out, int bits, byte[] rgb, int at, int width) {
        byte[] pixel = new byte[bits / 8];
        for (int x = 0; x < width; x++) {
            random.nextBytes(pixel);
            out.put(pixel);
            for (int channel = 0; channel < 3 && bits != 16; channel++) {
                rgb[at + 3 * x + channel] = pixel[2 - channel];
            }
        }
    }

    private static void indexes(
            Random random, ByteBuffer out, int bits, byte[] palette, byte[] rgb, int at, int width) {
        int perByte = 8 / bits;
        for (int x = 0; x < width; x += perByte) {
            int packed = random.nextInt(256);
            out.put((byte) packed);
            for (int i = 0; i < perByte && x + i < width; i++) {
                color(palette, packed >> (8 - bits * (i + 1)) & ((1 << bits) - 1), rgb, at + 3 * (x + i));
            }
        }
    }

    /** Writes runs of one index (of 4 bits: of two that alternate), and literals, which are padded to two bytes. */
    private static void runs(Random random, ByteBuffer out, int bits, byte[] palette, byte[] rgb, int at, int width) {
        int perByte = 8 / bits;
        int x = 0;
        while (x < width) {
            int length = 1 + random.nextInt(width - x);
            boolean isLiteral = length >= 3 && random.nextBoolean();
            out.put((byte) (isLiteral ? 0 : length));
            if (isLiteral) {
                out.put((byte) length);
            }
            int packed = random.nextInt(256);
            int bytes = 0;
            for (int i = 0; i < length; i++) {
                if (i % perByte == 0 && (isLiteral || i == 0)) {
                    packed = isLiteral ? random.nextInt(256) : packed;
                    out.put((byte) packed);
                    bytes++;
                }
                int index = perByte == 1 ? packed : packed >> (i % 2 == 0 ? 4 : 0) & 15;
                color(palette, index, rgb, at + 3 * (x + i));
            }
            if (isLiteral && bytes % 2 == 1) {
                out.put((byte) 0);
            }
            x += length;
        }
    }

    private static void color(byte[] palette, int index, byte[] rgb, int at) {
        System.arraycopy(palette, 3 * index, rgb, at, 3);
    }
}
